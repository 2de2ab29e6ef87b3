// The names that columns have at a place of a query (search-language#column-tests): a name of
// several words stands there without quotation marks.

import type { Relation, World } from '../run/model.ts'
import { BUILT_INS, logsOfScope, spellingsOf } from '../scopes.ts'
import type { Query, Scope } from '../tree.ts'
import { isSpace, type Reader } from './reader.ts'

export type Names = {
  readonly rows: 'events' | 'table'
  readonly list: readonly string[]
  /** The data has more of them: of tables that were transposed, where those of before are kept,
   *  too, as far as reading goes. */
  readonly isOpen: boolean
  /** Those of the logs that a scope leaves; absent where no scope may stand. */
  readonly within?: (scope: Scope) => Names
  readonly parseInner: ParseInner
}
/** Of a query in brackets; and the names of the columns that it gives. */
export type ParseInner = (inner: Reader) => { readonly query: Query; readonly names: Names }

/** Before the first stage. */
export function namesOfLogs(logs: World['logs'], world: World, parseInner: ParseInner): Names {
  const spellings = [...spellingsOf(logs, world.names).values()].flat()
  return {
    rows: 'events',
    list: [...BUILT_INS.keys(), ...spellings],
    isOpen: false,
    within: (scope) => namesOfLogs(logsOfScope(scope, logs), world, parseInner),
    parseInner,
  }
}

/** In a stage. */
export function namesOfRows(
  { kind, shown, hidden, logs }: Relation,
  world: World,
  { isOpen, parseInner }: Pick<Names, 'isOpen' | 'parseInner'>,
): Names {
  const given = [...shown, ...hidden].flatMap(({ title, synonyms }) => [title, ...synonyms])
  const own = kind === 'table' ? [] : namesOfLogs(logs, world, parseInner).list
  return { rows: kind, list: [...given, ...own], isOpen, parseInner }
}

/** Without quotation marks a name of several words or with parentheses is a column only where a log
 *  in scope has it: most often a comma or a `|` is missing. */
export function checkBare(reader: Reader, { list, isOpen }: Names, name: string): void {
  const isKnown = list.some((known) => known.toLowerCase() === name.toLowerCase())
  if (/[\s()]/.test(name) && !isOpen && !isKnown)
    reader.refuse(`no log in scope has a column ${name}`)
}

export type FoundName = { readonly name: string; readonly end: number }

/** The names that the text begins with at a place, the longest first, as they are written there. */
export function namesAt(reader: Reader, start: number, { list }: Names): FoundName[] {
  return list
    .flatMap((known) => {
      const end = endOfName(reader.text, start, known)
      if (end === null) return []
      return [{ name: reader.text.slice(start, end).replace(/\s+/g, ' '), end }]
    })
    .sort((a, b) => b.end - a.end)
}

function endOfName(text: string, start: number, name: string): number | null {
  let at = start
  for (const letter of name) {
    if (isSpace(letter)) {
      if (!isSpace(text[at])) return null
      while (isSpace(text[at])) at += 1
      continue
    }
    const own = text.slice(at, at + letter.length)
    if (own.toLowerCase() !== letter.toLowerCase()) return null
    at += letter.length
  }
  return /^(?:[\s"(),|=<>[\]]|!=|$)/.test(text.slice(at)) ? at : null
}
