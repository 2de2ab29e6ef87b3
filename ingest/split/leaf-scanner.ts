// Reads the leaf values of one event, in order, from its bytes. A value is known by its place in
// the body; only decoded text (escapes, bytes that are no UTF-8) is written elsewhere (`made`). The
// listener has checked the JSON; what cannot be read all the same makes it answer false.
import { REST_SEPARATOR } from '../../schemas/shown-columns.ts'
import { ByteBuffer } from '../bytes/byte-buffer.ts'
import { BodySource } from '../bytes/byte-source.ts'
import { checkUtf8, INVALID, VALID } from '../bytes/utf8.ts'
import { parseToken, replaceLoneSurrogates, unescapeInto } from './json-string.ts'
import {
  BLOB,
  BOOL,
  EMPTY_BLOB,
  EMPTY_TEXT,
  EXACT_NUMBER,
  type LeafKind,
  NULL,
  NUMBER,
  TEXT,
} from './leaf-kind.ts'
import { Places } from './places.ts'

const QUOTE = 34
const BACKSLASH = 92
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const COLON = 58
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const LETTER_N = 110
const LETTER_U = 117
const SLASH = 47
const SPACE = 32

/** What the characters tell of the string that they stand in. */
const NOT_ASCII = 1
const CONTROL = 2
const ESCAPED = 4
/** An escape that JSON.stringify might write in another way. */
const ODD_ESCAPE = 8

/** Four characters at once. */
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c
const SPACES = 0x20202020
const ONES = 0x01010101
const HIGH_BITS = 0x80808080

const IS_HEX = Uint8Array.from({ length: 256 }, (_, code) =>
  /[0-9a-fA-F-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const MIN_ID_CHARACTERS = 16
/** No byte: after the event. */
export const END = -1
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

export class LeafScanner {
  readonly body = new BodySource()
  /** UTF-8 of decoded texts, from the event's start. */
  readonly made = new ByteBuffer()
  /** Index in the body of the next byte to read. */
  position = 0
  /** Index in the body after the event. */
  limit = 0

  // The leaf last read:
  kind: LeafKind = NULL
  /** Place (places.ts) of the decoded string, the number as written, `true`, `false`, `null`, or a
   *  blob's JSON text. */
  at = 0
  length = 0
  number = 0
  /** True when JSON.stringify(value), or value itself for all but strings, is exactly the token. */
  isExact = true
  /** A string value of 16 or more characters of [0-9a-fA-F-]. */
  isId = false
  /** For `rest`: the values of all leaves of the event so far, those in blobs one by one. */
  readonly rest = new Places()

  #restAt = 0
  #restLength = 0

  begin(body: Buffer, start: number, end: number): void {
    this.body.take(body)
    this.made.reset()
    this.rest.count = 0
    this.limit = end
    this.position = start
  }

  /** Text of the bytes from `from` to `to`, decoded; invalid UTF-8 gives U+FFFD. */
  decode(from: number, to: number): string {
    return this.body.bytes.toString('utf8', from, to)
  }

  /** Text of a place. */
  textAt(at: number, length: number): string {
    return at < 0
      ? this.made.bytes.toString('utf8', ~at, ~at + length)
      : this.decode(at, at + length)
  }

  /** Makes `text` the value of the leaf. */
  keepText(text: string): void {
    this.at = ~this.made.length
    this.length = this.made.writeText(text)
  }

  /** One character a byte. */
  latin(from: number, to: number): string {
    return this.body.bytes.toString('latin1', from, to)
  }

  isAscii(from: number, to: number): boolean {
    const { bytes } = this.body
    for (let i = from; i < to; i++) if ((bytes[i] ?? 0) >= 128) return false
    return true
  }

  /** Skips JSON white space and tells the next byte, END at the end. */
  skipSpace(): number {
    const { limit } = this
    const { bytes } = this.body
    let i = this.position
    while (i < limit) {
      const code = bytes[i] ?? END
      if (code !== SPACE && code !== 10 && code !== 13 && code !== 9) {
        this.position = i
        return code
      }
      i++
    }
    this.position = i
    return END
  }

  /** Reads the value at `position`. False: an object that is not `isDeep`, or no JSON. */
  readLeaf(isDeep: boolean): boolean {
    const code = this.#byteAt(this.position)
    if (code === QUOTE) {
      if (!this.readString()) return false
      if (this.kind === TEXT) this.rest.add(this.#restAt, this.#restLength)
      return true
    }
    if (code === MINUS || (code >= ZERO && code <= 57)) {
      if (!this.#readNumber()) return false
      this.rest.add(this.at, this.length)
      return true
    }
    switch (code) {
      case 116:
        return this.#readWord('true', BOOL)
      case 102:
        return this.#readWord('false', BOOL)
      case LETTER_N:
        return this.#readWord('null', NULL)
      case OPEN_ARRAY:
        return this.#readBlob()
      case OPEN_OBJECT:
        return isDeep && this.#readBlob()
      default:
        return false
    }
  }

  #readWord(word: string, kind: LeafKind): boolean {
    const { length } = word
    for (let i = 0; i < length; i++) {
      if (this.#byteAt(this.position + i) !== word.charCodeAt(i)) return false
    }
    this.#take(kind, this.position, length)
    this.position += length
    if (kind === BOOL) this.rest.add(this.at, length)
    return true
  }

  #take(kind: LeafKind, at: number, length: number): void {
    this.kind = kind
    this.at = at
    this.length = length
    this.isExact = true
  }

  /** Reads the string at `position`, which must be its quotation mark. */
  readString(): boolean {
    const start = this.position + 1
    const flags = this.#scanString()
    if (flags < 0) return false
    const length = this.position - 1 - start
    this.#take(length === 0 ? EMPTY_TEXT : TEXT, start, length)
    this.#restAt = start
    this.#restLength = length
    if (flags !== 0) return this.#readOddString(start, start + length, flags)
    this.isId = length >= MIN_ID_CHARACTERS && this.#isHex(start, length)
    return true
  }

  #isHex(start: number, length: number): boolean {
    const { bytes } = this.body
    for (let i = start; i < start + length; i++) if (IS_HEX[bytes[i] ?? 0] === 0) return false
    return true
  }

  /** Moves over the string at `position` and tells its flags; -1: it has no end. */
  #scanString(): number {
    const { limit } = this
    const { bytes, view } = this.body
    let flags = 0
    let i = this.position + 1
    while (i < limit) {
      if (i + 4 <= limit) {
        const four = view.getInt32(i, true)
        const quotes = four ^ QUOTES
        const backslashes = four ^ BACKSLASHES
        // The lowest high bit that is set is right; those above it may come of a borrow.
        const special =
          (((quotes - ONES) & ~quotes) |
            ((backslashes - ONES) & ~backslashes) |
            ((four - SPACES) & ~four) |
            four) &
          HIGH_BITS
        if (special === 0) {
          i += 4
          continue
        }
        i += (31 - Math.clz32(special & -special)) >> 3
      }
      const code = bytes[i] ?? 0
      if (code === QUOTE) break
      i++
      if (code === BACKSLASH) {
        const escaped = bytes[i++]
        flags |= escaped === LETTER_U || escaped === SLASH ? ESCAPED | ODD_ESCAPE : ESCAPED
      } else if (code < SPACE) {
        flags |= CONTROL
      } else if (code >= 128) {
        flags |= NOT_ASCII
        while (i < limit && (bytes[i] ?? 0) >= 128) i++
      }
    }
    this.position = i + 1
    return i < limit ? flags : -1
  }

  /** A string with more than plain ASCII characters. */
  #readOddString(start: number, end: number, flags: number): boolean {
    this.isId = false
    if ((flags & CONTROL) !== 0) return false
    const check = (flags & NOT_ASCII) === 0 ? VALID : checkUtf8(this.body.bytes, start, end)
    this.isExact = check === VALID
    const isOdd = (flags & ODD_ESCAPE) !== 0
    if (check !== INVALID && !isOdd) return (flags & ESCAPED) === 0 || this.#unescape(start, end)
    return this.#decodeString(this.decode(start, end), isOdd)
  }

  /** Writes the string without its escapes, none of them odd. */
  #unescape(start: number, end: number): boolean {
    const { made } = this
    const begin = made.length
    if (!unescapeInto(made, this.body.bytes, start, end)) return false
    this.at = this.#restAt = ~begin
    this.length = this.#restLength = made.length - begin
    return true
  }

  #decodeString(content: string, isOdd: boolean): boolean {
    const token = `"${content}"`
    const decoded = parseToken(token)
    if (decoded === null) return false
    const value = isOdd ? replaceLoneSurrogates(decoded) : decoded
    if (isOdd && this.isExact) this.isExact = JSON.stringify(value) === token
    this.keepText(value.replaceAll(REST_SEPARATOR, ' '))
    this.#restAt = this.at
    this.#restLength = this.length
    if (value.includes(REST_SEPARATOR)) this.keepText(value)
    // An id spelled with escapes stays an id, so that equal values meet equal columns.
    this.isId = value.length >= MIN_ID_CHARACTERS && /^[0-9a-fA-F-]+$/.test(value)
    return true
  }

  #readNumber(): boolean {
    const start = this.position
    let i = start
    let code = this.#byteAt(i)
    const isNegative = code === MINUS
    if (isNegative) code = this.#byteAt(++i)
    const first = i
    let digits = 0
    let point = -1
    for (; ; code = this.#byteAt(++i)) {
      if (code >= ZERO && code <= 57) digits = digits * 10 + (code - ZERO)
      else if (code === POINT && point < 0) point = i
      else break
    }
    const hasExponent = code === 101 || code === 69
    if (hasExponent) {
      for (code = this.#byteAt(++i); isExponentCharacter(code); ) code = this.#byteAt(++i)
    }
    this.position = i
    this.#take(NUMBER, start, i - start)
    const characters = i - first
    const isShort = !hasExponent && characters <= 15
    const isLeadingZero = this.#byteAt(first) === ZERO
    if (isShort && point < 0 && (!isLeadingZero || (characters === 1 && !isNegative))) {
      // An integer of at most 15 digits, neither -0 nor with a zero before it.
      this.number = isNegative ? -digits : digits
      return characters > 0
    }
    const scale = POWERS_OF_TEN[i - 1 - point] ?? 1
    // Below a millionth String() writes an exponent.
    const isFraction = isLeadingZero ? point === first + 1 && digits * 1e6 >= scale : point > first
    if (isShort && isFraction && point < i - 1 && this.#byteAt(i - 1) !== ZERO) {
      // At most 15 digits and no zero at the end: the shortest text of its double; one exact
      // division gives it.
      const magnitude = digits / scale
      this.number = isNegative ? -magnitude : magnitude
      return true
    }
    const value = this.latin(start, i)
    const number = Number(value)
    if (!Number.isFinite(number) || String(number) !== value) this.kind = EXACT_NUMBER
    this.number = number
    return !Number.isNaN(number)
  }

  #skipNumber(): void {
    const { limit } = this
    const { bytes } = this.body
    let i = this.position
    while (i < limit && isNumberByte(bytes[i] ?? 0)) i++
    this.position = i
  }

  #byteAt(i: number): number {
    return i < this.limit ? (this.body.bytes[i] ?? END) : END
  }

  /** Reads an array or object as one leaf: its text, and every value in it for `rest`. */
  #readBlob(): boolean {
    const start = this.position
    let depth = 0
    let allFlags = 0
    let isEmpty = true
    for (;;) {
      const code = this.skipSpace()
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (depth > 0) isEmpty = false
        depth++
        this.position++
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        this.position++
        if (--depth === 0) break
      } else if (code === COMMA || code === COLON) {
        this.position++
      } else if (code === QUOTE) {
        isEmpty = false
        const from = this.position + 1
        const flags = this.#scanString()
        const to = this.position - 1
        if (flags < 0) return false
        allFlags |= flags
        if (from === to || this.skipSpace() === COLON) continue
        if (flags === 0) this.rest.add(from, to - from)
        else if (this.#readOddText(from, to, flags)) this.rest.add(this.#restAt, this.#restLength)
        else return false
      } else {
        isEmpty = false
        const from = this.position
        if (code === MINUS || (code >= ZERO && code <= 57)) {
          this.#skipNumber()
          this.rest.add(from, this.position - from)
        } else if (!this.readLeaf(false)) return false
      }
    }
    this.#take(isEmpty ? EMPTY_BLOB : BLOB, start, this.position - start)
    if ((allFlags & NOT_ASCII) === 0) return true
    const check = checkUtf8(this.body.bytes, start, this.position)
    this.isExact = check === VALID
    if (check === INVALID) this.keepText(this.decode(start, this.position))
    return true
  }

  #readOddText(start: number, end: number, flags: number): boolean {
    this.#restAt = start
    this.#restLength = end - start
    return this.#readOddString(start, end, flags)
  }
}

/** Digits, signs, point and exponent mark. */
function isNumberByte(code: number): boolean {
  return isExponentCharacter(code) || code === POINT || code === 101 || code === 69
}

function isExponentCharacter(code: number): boolean {
  return (code >= ZERO && code <= 57) || code === MINUS || code === 43
}
