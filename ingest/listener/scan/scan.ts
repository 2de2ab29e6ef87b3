// The listener's one look at a body: is it JSON, and where does each event begin and end? No
// objects are built. Shapes (decision 2.1): one object; objects one after the other, on one line,
// on lines of their own (NDJSON) or over lines; an array.
//
// An array is one document: broken anywhere, the whole request is refused. Its usual cause is a cut
// transfer, and a sender that repeats the whole after we took a part would store that part twice.
// In the other shapes a broken value costs only itself: the scan goes on at the next line that
// begins with '{', if one comes before the end of the line where the value broke, else after that
// line. What is looked at twice for this is bounded by the body's length, so that no body takes
// more than double time.
//
// The scanner stops after any token on request and goes on later: large bodies are scanned in
// slices (scan-queue.ts).
import type { EventOrigins, Rejection, RejectionCode } from '../../../schemas/block/schema.ts'
import {
  BACKSLASH,
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  END,
  escapeEnd,
  isDelimiter,
  isSpace,
  isSpaceOrEnd,
  literalEnd,
  NEWLINE,
  NINE,
  numberEnd,
  OPEN_ARRAY,
  OPEN_OBJECT,
  plainEnd,
  QUOTE,
  spaceEnd,
} from './json-tokens.ts'

export type ScanLimits = {
  readonly maxEvents: number
  /** Bytes of one event, from its first to its last. */
  readonly maxEventBytes: number
  /** The event's own braces are level 1. */
  readonly maxDepth: number
  /** Members outside arrays whose value is no object with members: what becomes a column at the
   *  deepest parsing level. */
  readonly maxColumns: number
}

export type Scanned =
  | {
      readonly kind: 'events'
      /** Pairs start, end (exclusive), ascending. */
      readonly ranges: Uint32Array
      readonly rejections: readonly Rejection[]
      readonly origins?: EventOrigins
    }
  | {
      readonly kind: 'refused'
      readonly code: 'invalid_json' | 'too_many_events'
      /** Events before the one at fault. */
      readonly index: number
    }

/** What the next token may be. */
const TOP = 0
const ELEMENT = 1
const ELEMENT_OR_CLOSE = 2
const VALUE = 3
const VALUE_OR_CLOSE = 4
const KEY = 5
const KEY_OR_CLOSE = 6
const AFTER_KEY = 7
const AFTER_VALUE = 8
const AFTER_ELEMENT = 9
const TAIL = 10
/** Inside a string. */
const KEY_TEXT = 11
const VALUE_TEXT = 12
const BROKEN = -1
const REFUSED = -2

const WORD_MASK = 31
const BOM = [0xef, 0xbb, 0xbf]

/** Scans a whole body at once; for bodies small enough that nobody waits. */
export function scanBody(body: Uint8Array, limits: ScanLimits): Scanned {
  const scanner = new Scanner(body, limits)
  scanner.run(body.length)
  return scanner.result()
}

export class Scanner {
  readonly #body: Uint8Array
  readonly #limits: ScanLimits
  readonly #ranges: number[] = []
  readonly #rejections: Rejection[] = []
  #count = 0
  #refusal: 'invalid_json' | 'too_many_events' | undefined
  #at = 0
  #state = TOP
  #isArray = false
  /** First byte of the value at hand. */
  #start = 0
  #depth = 0
  #isTooDeep = false
  #columns = 0
  #arrayDepth = 0
  /** Open containers, a bit each (1: object), the innermost lowest; full words wait in #outer. */
  #containers = 0
  readonly #outer: number[] = []
  #rescanBytesLeft: number

  constructor(body: Uint8Array, limits: ScanLimits) {
    this.#body = body
    this.#limits = limits
    this.#rescanBytesLeft = body.length
    if (BOM.every((byte, at) => body[at] === byte)) this.#at = BOM.length
  }

  /** Goes on for about `maxBytes` (a run of plain text is never cut). True when the body is
   *  through. */
  run(maxBytes: number): boolean {
    const body = this.#body
    const pauseAt = Math.min(this.#at + maxBytes, body.length)
    let at = this.#at
    let state = this.#state
    while (state !== REFUSED) {
      if (at >= pauseAt) {
        if (at < body.length || state === TOP || state === TAIL) break
        state = BROKEN
      } else if (state >= KEY_TEXT) {
        at = plainEnd(body, at)
        const byte = byteAt(body, at)
        if (byte === QUOTE) {
          at += 1
          if (state === KEY_TEXT) state = AFTER_KEY
          else state = this.#depth > 0 ? AFTER_VALUE : this.#endValue(at)
        } else {
          const end = byte === BACKSLASH ? escapeEnd(body, at) : -1
          if (end < 0) state = BROKEN
          else at = end
        }
      } else {
        let byte = byteAt(body, at)
        if (isSpace(byte)) {
          at = spaceEnd(body, at + 1)
          byte = byteAt(body, at)
          if (byte === END) continue
        }
        switch (state) {
          case AFTER_KEY:
            state = byte === COLON ? VALUE : BROKEN
            break
          case AFTER_VALUE:
            if (byte !== COMMA) state = this.#close(byte, at + 1)
            else state = (this.#containers & 1) === 1 ? KEY : VALUE
            break
          case KEY:
            state = byte === QUOTE ? KEY_TEXT : BROKEN
            break
          case KEY_OR_CLOSE:
            state = byte === QUOTE ? KEY_TEXT : this.#closeEmptyObject(byte, at + 1)
            break
          case AFTER_ELEMENT:
            state = byte === COMMA ? ELEMENT : byte === CLOSE_ARRAY ? TAIL : BROKEN
            break
          case TAIL:
            state = BROKEN
            break
          default: {
            if (state < VALUE) {
              if (state === TOP && byte === OPEN_ARRAY && this.#count === 0) {
                this.#isArray = true
                state = ELEMENT_OR_CLOSE
                break
              }
              if (state === ELEMENT_OR_CLOSE && byte === CLOSE_ARRAY) {
                state = TAIL
                break
              }
              this.#beginEvent(at)
            } else if (state === VALUE_OR_CLOSE && byte === CLOSE_ARRAY) {
              state = this.#close(byte, at + 1)
              break
            }
            if (byte === OPEN_OBJECT) {
              this.#push(1)
              state = KEY_OR_CLOSE
              break
            }
            if (this.#arrayDepth === 0) this.#columns += 1
            if (byte === QUOTE) state = VALUE_TEXT
            else if (byte === OPEN_ARRAY) {
              this.#push(0)
              this.#arrayDepth += 1
              state = VALUE_OR_CLOSE
            } else {
              const end = byte > NINE ? literalEnd(body, at) : numberEnd(body, at)
              if (end < 0) state = BROKEN
              else {
                at = end - 1
                state = this.#endScalar(end)
              }
            }
          }
        }
        at += 1
      }
      if (state === BROKEN) {
        at = this.#recover(at)
        state = this.#refusal ? REFUSED : TOP
      }
    }
    this.#at = at
    this.#state = state
    return state === REFUSED || at >= body.length
  }

  /** After `run` said true. No event at all: no ranges and no rejections. */
  result(): Scanned {
    if (this.#refusal) return { kind: 'refused', code: this.#refusal, index: this.#count }
    const ranges = Uint32Array.from(this.#ranges)
    return { kind: 'events', ranges, rejections: this.#rejections }
  }

  #beginEvent(at: number): void {
    this.#start = at
    this.#columns = 0
    this.#isTooDeep = false
  }

  #push(isObject: 0 | 1): void {
    const depth = this.#depth
    if ((depth & WORD_MASK) === 0 && depth > 0) {
      this.#outer.push(this.#containers)
      this.#containers = 0
    }
    this.#containers = (this.#containers << 1) | isObject
    this.#depth = depth + 1
    if (depth >= this.#limits.maxDepth) this.#isTooDeep = true
  }

  #close(byte: number, end: number): number {
    if (byte !== ((this.#containers & 1) === 1 ? CLOSE_OBJECT : CLOSE_ARRAY)) return BROKEN
    if (byte === CLOSE_ARRAY) this.#arrayDepth -= 1
    this.#depth -= 1
    this.#containers >>>= 1
    if (this.#depth === 0) return this.#endValue(end)
    if ((this.#depth & WORD_MASK) === 0) this.#containers = this.#outer.pop() ?? 0
    return AFTER_VALUE
  }

  /** An object without members is a value of its own, so it is a column. */
  #closeEmptyObject(byte: number, end: number): number {
    if (this.#arrayDepth === 0) this.#columns += 1
    return this.#close(byte, end)
  }

  /** Alone, nothing but white space ends a number or literal: `12{"a":1}` is broken, not two
   *  events. */
  #endScalar(end: number): number {
    const next = byteAt(this.#body, end)
    const isInside = this.#depth > 0
    const isEnded = isInside || this.#isArray ? isDelimiter(next) : isSpaceOrEnd(next)
    if (!isEnded) return BROKEN
    return isInside ? AFTER_VALUE : this.#endValue(end)
  }

  #endValue(end: number): number {
    const code = this.#judge(end)
    if (code !== undefined) return this.#reject(code, end)
    if (this.#isFull()) return REFUSED
    this.#ranges.push(this.#start, end)
    this.#count += 1
    return this.#isArray ? AFTER_ELEMENT : TOP
  }

  #reject(code: RejectionCode, end: number): number {
    if (this.#isFull()) return REFUSED
    this.#rejections.push({ index: this.#count, code, start: this.#start, end })
    this.#count += 1
    return this.#isArray ? AFTER_ELEMENT : TOP
  }

  #isFull(): boolean {
    if (this.#count < this.#limits.maxEvents) return false
    this.#refusal = 'too_many_events'
    return true
  }

  #judge(end: number): RejectionCode | undefined {
    const first = this.#body[this.#start]
    if (first !== OPEN_OBJECT && !(first === QUOTE && this.#isEventText(end))) {
      return 'not_an_object'
    }
    if (end - this.#start > this.#limits.maxEventBytes) return 'too_large'
    if (this.#isTooDeep) return 'too_deep'
    return this.#columns > this.#limits.maxColumns ? 'too_many_columns' : undefined
  }

  /** Outside an array a string is an event when it has a line for itself: closed by a line end, or
   *  the last of several lines. */
  #isEventText(end: number): boolean {
    if (this.#isArray) return true
    const body = this.#body
    let before = this.#start - 1
    while (before >= 0 && body[before] !== NEWLINE && isSpace(byteAt(body, before))) before -= 1
    if (before >= 0 && body[before] !== NEWLINE && !this.#isBom(before)) return false
    let after = end
    while (body[after] !== NEWLINE && isSpace(byteAt(body, after))) after += 1
    return body[after] === NEWLINE || (after >= body.length && this.#count > 0)
  }

  #isBom(at: number): boolean {
    return at === BOM.length - 1 && BOM.every((byte, i) => this.#body[i] === byte)
  }

  /** Gives the broken value up and says where to go on. `at` is on the line of what is at fault. */
  #recover(at: number): number {
    const body = this.#body
    if (this.#isArray) {
      this.#refusal = 'invalid_json'
      return body.length
    }
    const found = body.indexOf(NEWLINE, at)
    const lineEnd = found < 0 ? body.length : found
    const next = this.#nextObjectLine(lineEnd)
    this.#reject('invalid_json', trimmedEnd(body, this.#start, next ?? lineEnd))
    this.#depth = 0
    this.#arrayDepth = 0
    this.#containers = 0
    this.#outer.length = 0
    return next ?? lineEnd
  }

  #nextObjectLine(lineEnd: number): number | undefined {
    const { buffer, byteOffset } = this.#body
    const value = Buffer.from(buffer, byteOffset + this.#start, lineEnd - this.#start)
    const found = value.indexOf('\n{')
    if (found < 0) return undefined
    const next = this.#start + found + 1
    if (lineEnd - next > this.#rescanBytesLeft) return undefined
    this.#rescanBytesLeft -= lineEnd - next
    return next
  }
}

function trimmedEnd(body: Uint8Array, start: number, end: number): number {
  let i = end
  while (i > start + 1 && isSpace(byteAt(body, i - 1))) i -= 1
  return i
}
