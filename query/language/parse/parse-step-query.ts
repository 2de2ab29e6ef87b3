// The query of a transaction's step stands in quotation marks: it is read with the same parser, and
// whatever is wrong in it points to its place in the whole text.

import type { Filter, Query } from '../tree.ts'
import { Input, type QuotedToken } from './input.ts'
import type { ParseContext } from './parse-context.ts'

/** A simple query: a filter with its scopes. */
export function parseStepQuery(context: ParseContext, quoted: QuotedToken): Filter {
  const { input } = context
  const places = placesOf(input.text, quoted)
  const placeOf = (at: number) => places[Math.min(at, places.length - 1)] ?? quoted.start
  return input.nested(() => {
    const inner = new Input(quoted.text, { input, placeOf })
    const { query } = context.parseQuery({ ...context, input: inner })
    if (inner.token().kind !== 'end') inner.raise('the end of the query of the step is expected')
    const [stage] = query.stages
    if (stage) inner.raise('the query of a step has no stages', stage.start)
    const { source } = query
    if (source.kind === 'transaction') {
      return inner.raise('the query of a step is no transaction', source.start)
    }
    input.countStagesOf(inner)
    return inSurroundings({ ...query, source }, placeOf).source.filter
  })
}

/** Places of the characters of the text between the quotation marks, and of its end: an escape
 *  stands for one character. */
function placesOf(text: string, { start, end }: QuotedToken): number[] {
  const places: number[] = []
  let at = start + 1
  while (at < end - 1) {
    places.push(at)
    const next = text.charAt(at + 1)
    at += text.charAt(at) === '\\' && (next === '"' || next === '\\') ? 2 : 1
  }
  return [...places, at]
}

type SimpleQuery = Query & { readonly source: { readonly kind: 'filterSource' } }

/** The same tree with positions in the text around. Trees are plain data. */
function inSurroundings(query: SimpleQuery, placeOf: (at: number) => number): SimpleQuery {
  return JSON.parse(JSON.stringify(query), (key, value) => {
    return key === 'start' || key === 'end' ? placeOf(Number(value)) : value
  })
}
