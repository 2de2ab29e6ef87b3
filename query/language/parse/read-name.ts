// Names inside stages are bound by delimiters, not by spaces: `process time (ms) as Slowest`
// (search-language#grammar, RAW).
import { parseTimeUnit } from '../../../schemas/time/time-unit.ts'
import { builtInColumn } from '../built-in-columns.ts'
import type { ColumnRef } from '../tree.ts'
import { type Input, isSpace, type Token } from './input.ts'
import { joinedInterval } from './joined-interval.ts'
import { originOf } from './parse-test.ts'
import { formatTypeAhead } from './read-format.ts'

/** `key`: `or` before a quoted text ends a name; `round`: `to` before a number does. */
export type NamePlace = 'plain' | 'key' | 'round'

const NUMBER = /^\d+(\.\d+)?$/
const ALWAYS = new Set(['as', 'asc', 'desc'])

/** A column up to the next delimiter. */
export function readColumn(input: Input, place: NamePlace = 'plain'): ColumnRef {
  const first = input.token()
  if (first.kind === 'word' && first.keyword === 'by') {
    input.raise('by stands only after group and order, quote it as a column')
  }
  const quotedAt = first.kind === 'word' && input.text.charAt(first.end) === '"' ? first.end : -1
  const origin = first.kind === 'word' ? originOf(first.keyword.slice(0, -1)) : undefined
  if (origin && quotedAt >= 0 && first.kind === 'word' && first.keyword.endsWith('.')) {
    input.position = quotedAt
    const token = input.expectQuoted('a column')
    return { kind: 'column', start: first.start, end: token.end, name: token.text, origin }
  }
  const { start, end, name, isQuoted } = readDelimited(input, 'a column', (token) =>
    isColumnEnd(input, token, place),
  )
  const prefix = isQuoted ? null : /^(column|event)\.(?=.)/i.exec(name)
  if (!prefix) return { kind: 'column', start, end, name, origin: 'any' }
  const said = originOf((prefix[1] ?? '').toLowerCase()) ?? 'any'
  const bare = name.slice(prefix[0].length)
  // `event.action` is a JSON path like any other; only built-in names are said with this prefix.
  if (said === 'builtIn' && !builtInColumn(bare)) {
    return { kind: 'column', start, end, name, origin: 'any' }
  }
  return { kind: 'column', start, end, name: bare, origin: said }
}

/** True when a column can begin here. */
export function isColumnAhead(input: Input, place: NamePlace = 'plain'): boolean {
  const token = input.token()
  return token.kind === 'quoted' || !isColumnEnd(input, token, place)
}

/** `as <name>`, or null. */
export function readAlias(input: Input, place: NamePlace = 'plain'): string | null {
  if (!input.takeKeyword('as')) return null
  const isEnd = (token: Token) => isNameEnd(input, token) || isMissingText(input, token, place)
  const { start, name, isQuoted } = readDelimited(input, 'a name', isEnd)
  if (!isQuoted) refuseStageInside(input, start, name)
  return name
}

/** `as n by service`, `as n limit 3`: a name goes on to the next delimiter, which was forgotten. */
function refuseStageInside(input: Input, start: number, name: string): void {
  const quoted = 'a name with it stands in quotation marks'
  const lastSign = Math.max(...['<', '>', '!'].map((sign) => name.lastIndexOf(sign)))
  const match = [...` ${name}`.matchAll(/\s(order by|sort by|limit \d+$|where(?= ))/gi)].find(
    ({ index, 0: words }) => !/where$/i.test(words) || index + words.length <= lastSign,
  )
  const stage = match?.[1]?.split(' ')[0]
  if (stage !== undefined) input.raise(`| is missing before ${stage}; ${quoted}`, start)
  if (/(?:^|\s)by(?:\s|$)/i.test(name))
    input.raise(`group by is expected, not by alone; ${quoted}`, start)
}

export function readNumber(input: Input, what: string): number {
  const number = numberAt(input, input.position)
  if (number === undefined) return input.raise(`${what} is expected`)
  input.take(input.token())
  return number
}

export function numberAt(input: Input, from: number): number | undefined {
  const token = input.token(from)
  return token.kind === 'word' && NUMBER.test(token.keyword) ? Number(token.keyword) : undefined
}

/** True at the end of a stage. */
export function isStageEnd(input: Input, from = input.position): boolean {
  const token = input.token(from)
  if (token.kind === 'end') return true
  return token.kind === 'symbol' && (token.symbol === '|' || token.symbol === ']')
}

function isNameEnd(input: Input, token: Token): boolean {
  if (isStageEnd(input, token.start)) return true
  if (token.kind === 'symbol') return token.symbol === ','
  if (token.kind !== 'word') return false
  if (token.keyword === 'group') return input.keywordsEnd(token.end, ['by']) !== undefined
  if (token.keyword === 'interval') return isIntervalAhead(input, token.end)
  return formatTypeAhead(input, token.start) !== undefined
}

function isColumnEnd(input: Input, token: Token, place: NamePlace): boolean {
  if (isNameEnd(input, token)) return true
  if (token.kind === 'symbol') return token.symbol === '='
  if (token.kind !== 'word') return false
  const { keyword, end } = token
  if (ALWAYS.has(keyword)) return true
  if (keyword === 'if') return input.isSymbol('(', end)
  if (keyword === 'or') return isMissingText(input, token, place)
  return keyword === 'to' && place === 'round' && numberAt(input, end) !== undefined
}

/** `or "none"` after a key. */
function isMissingText(input: Input, token: Token, place: NamePlace): boolean {
  if (place !== 'key' || token.kind !== 'word' || token.keyword !== 'or') return false
  return input.token(token.end).kind === 'quoted'
}

/** After the word interval: a number or a unit makes it the stage. */
function isIntervalAhead(input: Input, from: number): boolean {
  if (numberAt(input, from) !== undefined || joinedInterval(input, from) !== undefined) return true
  const token = input.token(from)
  return token.kind === 'word' && parseTimeUnit(token.keyword) !== undefined
}

type Delimited = { start: number; end: number; name: string; isQuoted: boolean }

function readDelimited(input: Input, what: string, isEnd: (token: Token) => boolean): Delimited {
  const first = input.token()
  const { start } = first
  if (first.kind === 'quoted') {
    input.take(first)
    if (first.text === '') input.raise(`${what} is empty`, start)
    if (!isEnd(input.token())) input.raise('a comma, | or the end is expected')
    return { start, end: first.end, name: first.text, isQuoted: true }
  }
  if (isEnd(first)) input.raise(`${what} is expected`)
  let end = start
  for (let token: Token = first; !isEnd(token); token = input.token()) {
    if (token.kind === 'quoted') input.raise('a comma, | or the end is expected')
    input.take(token)
    end = token.end
  }
  return { start, end, name: plainText(input, start, end), isQuoted: false }
}

/** Without escapes, white space collapsed. */
function plainText(input: Input, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; ) {
    const character = input.text.charAt(at)
    if (isSpace(character)) {
      text += ' '
      at = input.skipSpace(at)
    } else if (character === '\\') {
      text += input.escaped(at)
      at += 2
    } else {
      text += character
      at += 1
    }
  }
  return text
}
