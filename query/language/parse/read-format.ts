// Formats: `in time format("ms","sec")` (search-language#formats). Only in display, display only
// and group by.

import { describeUnknown } from '../nearest-word.ts'
import { printQuoted } from '../print/print-words.ts'
import type { Format, FormatType } from '../tree.ts'
import type { Input } from './input.ts'

const TYPES: ReadonlyMap<string, FormatType> = new Map(
  (['number', 'simple', 'time', 'date', 'volume', 'regexp', 'expression', 'query'] as const).map(
    (type): [string, FormatType] => [type, type],
  ),
)

export const FORMAT_TYPES: readonly string[] = [...TYPES.keys()]

/** Where a format begins at `from`, the word that should be its type. */
export function formatTypeAhead(input: Input, from = input.position): string | undefined {
  const end = input.keywordsEnd(from, ['in'])
  if (end === undefined) return undefined
  const type = input.token(end)
  if (type.kind !== 'word') return undefined
  return input.keywordsEnd(type.end, ['format']) === undefined ? undefined : type.keyword
}

/** The format that stands here, or null. */
export function readFormat(input: Input): Format | null {
  const word = formatTypeAhead(input)
  if (word === undefined) return null
  const start = input.token().start
  input.takeKeyword('in')
  const type = TYPES.get(word)
  if (!type) return input.raise(describeUnknown('format', word, FORMAT_TYPES))
  input.takeKeyword(word)
  input.takeKeyword('format')
  const values: string[] = []
  const argumentStarts: number[] = []
  if (input.takeSymbol('(') && !input.takeSymbol(')')) {
    do {
      const { start, text } = input.expectQuoted('an argument of the format')
      argumentStarts.push(start)
      values.push(text)
    } while (input.takeSymbol(','))
    input.expectSymbol(')', 'a comma or ) is expected')
  }
  return { kind: 'format', start, end: input.position, type, arguments: values, argumentStarts }
}

/** Where no format may stand. */
export function refuseFormat(input: Input): void {
  if (formatTypeAhead(input) === undefined) return
  input.raise('a format stands only in display, display only and group by')
}

export function printFormat(format: Format | null): string {
  if (!format) return ''
  const values = format.arguments.map(printQuoted)
  return ` in ${format.type} format${values.length > 0 ? `(${values.join(', ')})` : ''}`
}
