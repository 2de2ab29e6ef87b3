// The attributes of one CloudEvent that the listener needs (CloudEvents 1.0, JSON format), read
// from bytes that are known to be a JSON object. Of equal keys the last counts (decision 2.1); null
// is absent.
import type { RejectionCode } from '../../../../schemas/block/schema.ts'
import {
  BACKSLASH,
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  escapeEnd,
  isDelimiter,
  OPEN_ARRAY,
  OPEN_OBJECT,
  plainEnd,
  QUOTE,
  spaceEnd,
} from '../../scan/json-tokens.ts'
import { cutSource } from '../cut-source.ts'
import { isReadableRfc3339 } from './rfc3339.ts'

const NAMES = ['specversion', 'id', 'source', 'type', 'time'] as const
type Name = (typeof NAMES)[number]
const KEYS = NAMES.map((name) => Buffer.from(name))
const VERSION = Buffer.from('"1.0"')
const NULL = Buffer.from('null')

export class AttributeReader {
  readonly #body: Buffer
  /** By index in NAMES: where the value stands; 0, 0 for none. */
  readonly #starts = NAMES.map(() => 0)
  readonly #ends = NAMES.map(() => 0)
  /** Where the source read last stands, so that equal ones are decoded once. */
  #sourceStart = 0
  #sourceEnd = 0
  /** Of the event read last, trimmed and cut. */
  source = ''

  constructor(body: Buffer) {
    this.#body = body
  }

  /** Why the object body[start, end) is no CloudEvent; undefined: it is one. */
  read(start: number, end: number): RejectionCode | undefined {
    this.#starts.fill(0)
    this.#ends.fill(0)
    this.#findValues(start, end)
    if (!this.#isVersion()) return 'bad_specversion'
    if (!this.#hasText('id') || !this.#hasText('source') || !this.#hasText('type'))
      return 'missing_attribute'
    if (!this.#isTimeGood()) return 'bad_time'
    this.#takeSource()
    return undefined
  }

  #findValues(start: number, end: number): void {
    const body = this.#body
    let at = spaceEnd(body, start + 1)
    while (at < end && byteAt(body, at) === QUOTE) {
      const keyEnd = stringEnd(body, at)
      const name = this.#nameOf(at + 1, keyEnd - 1)
      const colon = spaceEnd(body, keyEnd)
      if (byteAt(body, colon) !== COLON) return
      const valueStart = spaceEnd(body, colon + 1)
      const valueEnd = endOfValue(body, valueStart, end)
      if (name >= 0) {
        this.#starts[name] = valueStart
        this.#ends[name] = valueEnd
      }
      // A comma, or the closing brace.
      at = spaceEnd(body, spaceEnd(body, valueEnd) + 1)
    }
  }

  /** Index in NAMES, -1 for other keys. */
  #nameOf(start: number, end: number): number {
    const body = this.#body
    for (let i = 0; i < KEYS.length; i += 1) {
      const key = KEYS[i]
      if (key !== undefined && isAt(body, start, end, key)) return i
    }
    if (!hasEscape(body, start, end)) return -1
    const text = Buffer.from(textOf(body, start - 1, end + 1))
    return KEYS.findIndex((key) => key.equals(text))
  }

  #isVersion(): boolean {
    const start = this.#startOf('specversion')
    const end = this.#endOf('specversion')
    if (isAt(this.#body, start, end, VERSION)) return true
    return byteAt(this.#body, start) === QUOTE && textOf(this.#body, start, end) === '1.0'
  }

  /** A string that is not empty. */
  #hasText(name: Name): boolean {
    const start = this.#startOf(name)
    return this.#endOf(name) - start > 2 && byteAt(this.#body, start) === QUOTE
  }

  #isTimeGood(): boolean {
    const body = this.#body
    const start = this.#startOf('time')
    const end = this.#endOf('time')
    if (end === 0 || isAt(body, start, end, NULL)) return true
    if (byteAt(body, start) !== QUOTE) return false
    if (!hasEscape(body, start, end)) return isReadableRfc3339(body, start + 1, end - 1)
    const text = Buffer.from(textOf(body, start, end))
    return isReadableRfc3339(text, 0, text.length)
  }

  #takeSource(): void {
    const body = this.#body
    const start = this.#startOf('source')
    const end = this.#endOf('source')
    const isSame =
      end - start === this.#sourceEnd - this.#sourceStart &&
      body.compare(body, this.#sourceStart, this.#sourceEnd, start, end) === 0
    this.#sourceStart = start
    this.#sourceEnd = end
    if (!isSame) this.source = cutSource(textOf(body, start, end))
  }

  #startOf(name: Name): number {
    return this.#starts[NAMES.indexOf(name)] ?? 0
  }

  #endOf(name: Name): number {
    return this.#ends[NAMES.indexOf(name)] ?? 0
  }
}

function isAt(body: Buffer, start: number, end: number, text: Buffer): boolean {
  if (end - start !== text.length) return false
  for (let i = 0; i < text.length; i += 1) if (body[start + i] !== text[i]) return false
  return true
}

function hasEscape(body: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (body[i] === BACKSLASH) return true
  return false
}

/** Of a token of JSON that is a string. */
function textOf(body: Buffer, start: number, end: number): string {
  const value: unknown = JSON.parse(body.toString('utf8', start, end))
  return typeof value === 'string' ? value : ''
}

/** `at` stands on the quotation mark that opens it. */
function stringEnd(body: Buffer, at: number): number {
  let i = plainEnd(body, at + 1)
  while (byteAt(body, i) === BACKSLASH) i = plainEnd(body, Math.max(i + 2, escapeEnd(body, i)))
  return i + 1
}

function endOfValue(body: Buffer, at: number, limit: number): number {
  const first = byteAt(body, at)
  if (first === QUOTE) return stringEnd(body, at)
  let i = at
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) {
    while (i < limit && !isDelimiter(byteAt(body, i))) i += 1
    return i
  }
  let depth = 0
  while (i < limit) {
    const byte = byteAt(body, i)
    if (byte === QUOTE) {
      i = stringEnd(body, i)
      continue
    }
    i += 1
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1
      if (depth === 0) return i
    }
  }
  return i
}
