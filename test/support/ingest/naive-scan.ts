// The scanner's rules a second time, slowly: regular expressions cut the text, JSON.parse judges
// it. Bytes are read as latin1, one character a byte, so that positions agree; the property test
// compares ranges and rejections with the real scanner's.

import type { ScanLimits, Scanned } from '../../../ingest/listener/scan/scan.ts'
import type { Rejection, RejectionCode } from '../../../schemas/block/schema.ts'

const TOKEN =
  /[{}[\]:,]|"(?:[ !#-[\]-\xff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?=[ \t\r\n,\]}]|$)/y
const SPACE = /[ \t\r\n]*/y

type Token = { readonly text: string; readonly start: number; readonly end: number }
type Value = { readonly end: number } | { readonly brokenAt: number }

export function naiveScan(body: Uint8Array, limits: ScanLimits): Scanned {
  const text = Buffer.from(body).toString('latin1')
  const from = text.startsWith('\xef\xbb\xbf') ? 3 : 0
  const first = skipSpace(text, from)
  return text[first] === '[' ? scanArray(text, first, limits) : scanLines(text, from, limits)
}

function scanArray(text: string, first: number, limits: ScanLimits): Scanned {
  const events = new Events(text, limits)
  let at = skipSpace(text, first + 1)
  if (text[at] === ']')
    return skipSpace(text, at + 1) === text.length ? events.done() : events.refuse('invalid_json')
  for (;;) {
    const value = readValue(text, at)
    if ('brokenAt' in value) return events.refuse('invalid_json')
    if (!events.add(at, value.end, true)) return events.refuse('too_many_events')
    at = skipSpace(text, value.end)
    if (text[at] === ']') break
    if (text[at] !== ',') return events.refuse('invalid_json')
    at = skipSpace(text, at + 1)
  }
  return skipSpace(text, at + 1) === text.length ? events.done() : events.refuse('invalid_json')
}

function scanLines(text: string, from: number, limits: ScanLimits): Scanned {
  const events = new Events(text, limits)
  let budget = text.length
  let at = skipSpace(text, from)
  while (at < text.length) {
    const value = readTopValue(text, at)
    if ('end' in value) {
      if (!events.add(at, value.end, hasOwnLine(text, from, at, value.end, events.count))) {
        return events.refuse('too_many_events')
      }
      at = skipSpace(text, value.end)
      continue
    }
    const newline = text.indexOf('\n', value.brokenAt)
    const lineEnd = newline < 0 ? text.length : newline
    const found = text.slice(at, lineEnd).indexOf('\n{')
    const isNear = found >= 0 && lineEnd - (at + found + 1) <= budget
    const next = isNear ? at + found + 1 : lineEnd
    if (isNear) budget -= lineEnd - next
    const kept = text.slice(at, next).replace(/[ \t\r\n]+$/, '')
    if (!events.reject(at, at + kept.length, 'invalid_json'))
      return events.refuse('too_many_events')
    at = skipSpace(text, next)
  }
  return events.done()
}

function readTopValue(text: string, at: number): Value {
  const value = readValue(text, at)
  if ('brokenAt' in value || /["{[]/.test(text[at] ?? '')) return value
  const isApart = value.end === text.length || /[ \t\r\n]/.test(text[value.end] ?? '')
  return isApart ? value : { brokenAt: at }
}

/** The tokens of one value; a grammar of two regular expressions over their kinds decides what may
 *  follow. */
function readValue(text: string, from: number): Value {
  let open = ''
  let before = ''
  for (let at = from; ; ) {
    const token = readToken(text, at)
    if (!token) return { brokenAt: at }
    const kind = kindOf(token.text)
    const inside = open.at(-1) ?? ''
    if (!mayFollow(inside, before, kind)) return { brokenAt: at }
    if (kind === '{' || kind === '[') open += kind
    if (kind === '}' || kind === ']') open = open.slice(0, -1)
    before = after(inside, before, kind, open)
    if (open === '') return { end: token.end }
    at = skipSpace(text, token.end)
  }
}

/** What stands before the next token: '{' '[' just opened, 'k' a key, ':' ',' themselves, 'v' a
 *  whole value. */
function after(inside: string, before: string, kind: string, open: string): string {
  if (kind === 's' && inside === '{' && (before === '{' || before === ',')) return 'k'
  if (kind === 's' || kind === 'w') return 'v'
  if (kind === '}' || kind === ']') return open === '' ? '' : 'v'
  return kind
}

function mayFollow(inside: string, before: string, kind: string): boolean {
  const isValue = /[{[sw]/.test(kind)
  if (inside === '') return isValue
  if (inside === '[') {
    if (before === '[') return isValue || kind === ']'
    return before === ',' ? isValue : /[,\]]/.test(kind)
  }
  if (before === '{') return kind === 's' || kind === '}'
  if (before === ',') return kind === 's'
  if (before === 'k') return kind === ':'
  return before === ':' ? isValue : /[,}]/.test(kind)
}

function kindOf(token: string): string {
  if (token.startsWith('"')) return 's'
  return /^[{}[\]:,]$/.test(token) ? token : 'w'
}

function readToken(text: string, at: number): Token | undefined {
  TOKEN.lastIndex = at
  const found = TOKEN.exec(text)?.[0]
  return found === undefined || found === ''
    ? undefined
    : { text: found, start: at, end: at + found.length }
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.exec(text)
  return SPACE.lastIndex
}

function hasOwnLine(
  text: string,
  from: number,
  start: number,
  end: number,
  count: number,
): boolean {
  const lineStart = /(^|\n)[ \t\r]*$/.test(text.slice(from, start))
  const rest = /^[ \t\r]*(\n|$)/.exec(text.slice(end))
  return lineStart && rest !== null && (rest[1] === '\n' || count > 0)
}

class Events {
  readonly #text: string
  readonly #limits: ScanLimits
  readonly #ranges: number[] = []
  readonly #rejections: Rejection[] = []
  count = 0

  constructor(text: string, limits: ScanLimits) {
    this.#text = text
    this.#limits = limits
  }

  add(start: number, end: number, isTextEvent: boolean): boolean {
    const code = judge(
      JSON.parse(withDistinctKeys(this.#text.slice(start, end))),
      end - start,
      isTextEvent,
      this.#limits,
    )
    if (code) return this.reject(start, end, code)
    if (this.count >= this.#limits.maxEvents) return false
    this.#ranges.push(start, end)
    this.count += 1
    return true
  }

  reject(start: number, end: number, code: RejectionCode): boolean {
    if (this.count >= this.#limits.maxEvents) return false
    this.#rejections.push({ index: this.count, code, start, end })
    this.count += 1
    return true
  }

  done(): Scanned {
    return { kind: 'events', ranges: Uint32Array.from(this.#ranges), rejections: this.#rejections }
  }

  refuse(code: 'invalid_json' | 'too_many_events'): Scanned {
    return { kind: 'refused', code, index: this.count }
  }
}

function judge(
  value: unknown,
  bytes: number,
  isTextEvent: boolean,
  limits: ScanLimits,
): RejectionCode | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject && !(typeof value === 'string' && isTextEvent)) return 'not_an_object'
  if (bytes > limits.maxEventBytes) return 'too_large'
  if (depthOf(value) > limits.maxDepth) return 'too_deep'
  return isObject && countColumns(value) > limits.maxColumns ? 'too_many_columns' : undefined
}

/** A key that stands twice is two columns for the scanner, one for JSON.parse. */
function withDistinctKeys(text: string): string {
  let count = 0
  return text.replace(/"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?/g, (found, colon: string | undefined) => {
    count += 1
    return colon === undefined ? found : `"${count}":`
  })
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function countColumns(value: object): number {
  return Object.values(value).reduce<number>((sum, member: unknown) => {
    const isFullObject =
      typeof member === 'object' &&
      member !== null &&
      !Array.isArray(member) &&
      Object.keys(member).length > 0
    return sum + (isFullObject ? countColumns(member) : 1)
  }, 0)
}
