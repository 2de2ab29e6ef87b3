// Columns and names in a stage (search-language#how-a-query-is-built): bare, they run to the next
// comma, `|` or word of the stage.
import { BUILT_INS } from '../scopes.ts'
import { patternText } from '../text.ts'
import type { ColumnRef } from '../tree.ts'
import { checkBare, type Names } from './names.ts'
import type { Reader } from './reader.ts'
import { takesPrefixedText } from './test.ts'
import { unitOf } from './units.ts'

/** Does a word that ends names stand at a place? */
export type IsEnd = (reader: Reader, at: number) => boolean

export function endsAtWords(...words: readonly string[]): IsEnd {
  return (reader, at) => words.some((word) => reader.afterWords(word, at) !== null)
}

/** `group by`, and `interval` before a number or a unit. */
export const endsAtGrouping: IsEnd = (reader, at) => {
  if (reader.afterWords('group by', at) !== null) return true
  const after = reader.afterWords('interval', at)
  if (after === null) return false
  const [, isNumber, word = ''] = /^\s*(\d)?([a-z]*)/i.exec(reader.text.slice(after)) ?? []
  return isNumber !== undefined || unitOf(word) !== null
}

/** `in number format` */
export const endsAtFormat: IsEnd = (reader, at) => {
  const after = reader.afterWords('in', at)
  const type = after === null ? null : reader.peek(after)
  return type?.kind === 'word' && reader.afterWords('format', type.end) !== null
}

export function endsAt(...ends: readonly IsEnd[]): IsEnd {
  return (reader, at) => ends.some((isEnd) => isEnd(reader, at))
}

/** Also one that is said outright. */
export function parseColumn(reader: Reader, names: Names, isEnd: IsEnd): ColumnRef {
  const column = readColumn(reader, isEnd)
  if (column.isBare) checkBare(reader, names, column.name)
  return column
}

/** Without quotation marks. */
type ReadColumn = ColumnRef & { readonly isBare: boolean }

function readColumn(reader: Reader, isEnd: IsEnd): ReadColumn {
  const made = (name: string, origin: ColumnRef['origin'], isBare: boolean) => {
    if (name === '') reader.refuse('a column is expected')
    return { kind: 'column', name, origin, isBare } as const
  }
  const prefixed = takesPrefixedText(reader)
  if (prefixed) return { ...prefixed, isBare: false }
  if (reader.peek().kind === 'quoted') return made(reader.expectQuoted('a column'), 'any', false)
  const start = reader.at
  const text = readRaw(reader, ',|=', endsAt(isEnd, endsAtWords('as', 'asc', 'desc')))
  const [, prefix = '', rest = ''] = /^(column|event)\.(.+)$/is.exec(text) ?? []
  // A backslash says, too, that all of it is a name.
  const isBare = !reader.text.slice(start, reader.at).includes('\\')
  if (prefix.toLowerCase() === 'column') return made(rest, 'parsed', isBare)
  const isBuiltIn = prefix !== '' && BUILT_INS.has(rest.toLowerCase())
  return isBuiltIn ? made(rest, 'builtIn', isBare) : made(text, 'any', isBare)
}

/** `as x`, where it stands. */
export function takesAlias(reader: Reader, isEnd: IsEnd): string | null {
  if (!reader.takesWords('as')) return null
  const isQuoted = reader.peek().kind === 'quoted'
  const name = isQuoted ? reader.expectQuoted('a name') : readRaw(reader, ',|', isEnd)
  if (name.trim() === '') reader.refuse('a name is expected')
  return name
}

function readRaw(reader: Reader, stops: string, isEnd: IsEnd): string {
  const pattern = reader.takesRaw(stops, (at) => {
    if (reader.afterWords('by', at) !== null) reader.refuse('by stands only after group and order')
    return isEnd(reader, at)
  })
  return patternText(pattern)
}
