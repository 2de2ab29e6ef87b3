// Reads the leaf values of one event, in order, from its bytes. ASCII values (nearly all) are slices of one Latin-1 string of
// the event, made in a single copy; text with other bytes is decoded from the bytes.
// Trusts that the listener checked the JSON, but never throws: what it cannot read makes it answer false.

import { RestText } from './rest-text.ts'

/** Kinds of leaves. A blob is an array, or an object below the parsing level, kept as JSON text. */
export const TEXT = 0
export const EMPTY_TEXT = 1
export const NUMBER = 2
export const EXACT_NUMBER = 3
export const BOOL = 4
export const NULL = 5
export const BLOB = 6
/** `[]` or a deep `{}`: no value, its token stands in the layout. */
export const EMPTY_BLOB = 7
export type LeafKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

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

/** What a character tells of the string that it stands in. */
const NOT_HEX = 1
const NOT_ASCII = 2
const CONTROL = 4
const ESCAPED = 8
/** An escape that JSON.stringify might write in another way. */
const ODD_ESCAPE = 16

const CHARACTER_FLAGS = makeCharacterFlags()

function makeCharacterFlags(): Uint8Array {
  const flags = new Uint8Array(256)
  for (let code = 0; code < 256; code++) {
    const isHex = /[0-9a-fA-F-]/.test(String.fromCharCode(code))
    flags[code] = (isHex ? 0 : NOT_HEX) | (code >= 128 ? NOT_ASCII : 0) | (code < 32 ? CONTROL : 0)
  }
  return flags
}

const MIN_ID_CHARACTERS = 16
/** No byte: behind the event. */
export const END = -1
const EMPTY = Buffer.alloc(0)
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

export class LeafScanner {
  bytes: Uint8Array = EMPTY
  /** Index in `bytes` of the next one to read. */
  position = 0
  /** Index in `bytes` behind the event. */
  limit = 0

  // The leaf last read:
  kind: LeafKind = NULL
  /** Decoded string, number as written, 'true', 'false', or JSON text of a blob. */
  value = ''
  number = 0
  /** True when JSON.stringify(value), or value itself for all but strings, is exactly the token. */
  isExact = true
  /** A string value of 16 or more characters of [0-9a-fA-F-]. */
  isId = false
  /** For `rest`: each value with '\x1f' before it, '' for none. */
  restText = ''

  readonly #blobRest = new RestText()
  #body: Buffer = EMPTY
  #start = 0
  /** The event's bytes as Latin-1. */
  #text = ''

  begin(body: Buffer, start: number, end: number): void {
    this.#body = body
    this.bytes = body
    this.#start = start
    this.limit = end
    this.position = start
    this.#text = body.toString('latin1', start, end)
  }

  /** The bytes from `from` to `to` as a slice of the event's Latin-1 text. */
  slice(from: number, to: number): string {
    return this.#text.substring(from - this.#start, to - this.#start)
  }

  /** Text of the bytes from `from` to `to`, decoded; invalid UTF-8 gives U+FFFD. */
  decode(from: number, to: number): string {
    return this.#body.toString('utf8', from, to)
  }

  /** A copy that keeps no other text alive, for caches. */
  copy(from: number, to: number): string {
    return this.#body.toString('latin1', from, to)
  }

  copyBytes(from: number, to: number): Uint8Array {
    const copy = new Uint8Array(to - from)
    for (let i = from; i < to; i++) copy[i - from] = this.bytes[i] ?? 0
    return copy
  }

  isAscii(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if ((this.bytes[i] ?? 0) >= 128) return false
    return true
  }

  /** Skips JSON white space and tells the next byte, END at the end. */
  skipSpace(): number {
    const { bytes, limit } = this
    let i = this.position
    while (i < limit) {
      const code = bytes[i] ?? END
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) {
        this.position = i
        return code
      }
      i++
    }
    this.position = i
    return END
  }

  /** Reads the value at `position`. False for an object that is not `isDeep`, and for what is no JSON. */
  readLeaf(isDeep: boolean): boolean {
    const code = this.#byteAt(this.position)
    if (code === QUOTE) return this.readString()
    if (code === MINUS || (code >= ZERO && code <= 57)) return this.#readNumber()
    switch (code) {
      case 116:
        return this.#readWord('true', BOOL)
      case 102:
        return this.#readWord('false', BOOL)
      case 110:
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
    if (this.slice(this.position, this.position + word.length) !== word) return false
    this.position += word.length
    this.kind = kind
    this.value = word
    this.restText = word
    this.isExact = true
    return true
  }

  /** Reads the string at `position`, which must be its quotation mark. */
  readString(): boolean {
    const start = this.position + 1
    const flags = this.#scanString()
    if (flags < 0) return false
    const end = this.position - 1
    this.kind = end === start ? EMPTY_TEXT : TEXT
    this.isId = false
    if (flags <= NOT_HEX) {
      const value = this.slice(start, end)
      this.value = value
      this.restText = value
      this.isExact = true
      this.isId = flags === 0 && end - start >= MIN_ID_CHARACTERS
      return true
    }
    return this.#decodeString(start, end, flags)
  }

  /** Moves over the string at `position` and tells its flags; -1: it has no end. */
  #scanString(): number {
    const { bytes, limit } = this
    let flags = 0
    let i = this.position + 1
    for (; i < limit; i++) {
      const code = bytes[i] ?? 0
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        const escaped = bytes[++i]
        flags |= escaped === LETTER_U || escaped === SLASH ? ESCAPED | ODD_ESCAPE : ESCAPED
      } else {
        flags |= CHARACTER_FLAGS[code] ?? 0
      }
    }
    this.position = i + 1
    return i < limit ? flags : -1
  }

  #decodeString(start: number, end: number, flags: number): boolean {
    if ((flags & CONTROL) !== 0) return false
    const isAscii = (flags & NOT_ASCII) === 0
    const content = isAscii ? this.slice(start, end) : this.decode(start, end)
    // A U+FFFD may stand for invalid bytes: take none for exact.
    this.isExact = isAscii || !content.includes('\ufffd')
    this.value = content
    this.restText = content
    if ((flags & ESCAPED) === 0) return true
    const token = `"${content}"`
    const decoded = parseToken(token)
    if (decoded === null) return false
    this.value = (flags & ODD_ESCAPE) === 0 ? decoded : replaceLoneSurrogates(decoded)
    if ((flags & ODD_ESCAPE) !== 0 && this.isExact) {
      this.isExact = JSON.stringify(this.value) === token
    }
    // '\x1f' parts the values of `rest`.
    this.restText = this.value.includes('\x1f') ? this.value.replaceAll('\x1f', ' ') : this.value
    // An id spelled with escapes stays an id, so that equal values meet equal columns.
    this.isId = this.value.length >= MIN_ID_CHARACTERS && /^[0-9a-fA-F-]+$/.test(this.value)
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
    const value = this.slice(start, i)
    this.position = i
    this.value = value
    this.restText = value
    this.isExact = true
    const characters = i - first
    const isShort = !hasExponent && characters <= 15
    const isLeadingZero = this.#byteAt(first) === ZERO
    if (isShort && point < 0 && (!isLeadingZero || (characters === 1 && !isNegative))) {
      // An integer of at most 15 digits, neither -0 nor with a zero before it.
      this.kind = NUMBER
      this.number = isNegative ? -digits : digits
      return characters > 0
    }
    const scale = POWERS_OF_TEN[i - 1 - point] ?? 1
    // Below a millionth String() writes an exponent.
    const isFraction = isLeadingZero ? point === first + 1 && digits * 1e6 >= scale : point > first
    if (isShort && isFraction && point < i - 1 && this.#byteAt(i - 1) !== ZERO) {
      // At most 15 digits and no zero at the end: the shortest text of its double; one exact division gives it.
      this.kind = NUMBER
      const magnitude = digits / scale
      this.number = isNegative ? -magnitude : magnitude
      return true
    }
    const number = Number(value)
    this.kind = Number.isFinite(number) && String(number) === value ? NUMBER : EXACT_NUMBER
    this.number = number
    return !Number.isNaN(number)
  }

  #skipNumber(): void {
    const { bytes, limit } = this
    let i = this.position
    while (i < limit && isNumberByte(bytes[i] ?? 0)) i++
    this.position = i
  }

  #byteAt(i: number): number {
    return i < this.limit ? (this.bytes[i] ?? END) : END
  }

  /** Reads an array or object as one leaf: its text, and every value in it for `rest`. */
  #readBlob(): boolean {
    const start = this.position
    const rest = this.#blobRest
    rest.begin()
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
        if (flags <= NOT_HEX) rest.addBytes(this.bytes, from, to)
        else if (this.#decodeString(from, to, flags)) rest.addText(this.restText)
        else return false
      } else {
        isEmpty = false
        const from = this.position
        if (code === MINUS || (code >= ZERO && code <= 57)) this.#skipNumber()
        else if (!this.readLeaf(false)) return false
        if (code !== LETTER_N) rest.addBytes(this.bytes, from, this.position)
      }
    }
    const end = this.position
    const isAscii = (allFlags & NOT_ASCII) === 0
    this.value = isAscii ? this.slice(start, end) : this.decode(start, end)
    this.isExact = isAscii || !this.value.includes('\ufffd')
    this.restText = rest.take()
    this.kind = isEmpty ? EMPTY_BLOB : BLOB
    return true
  }
}

/** Digits, signs, point and exponent mark. */
function isNumberByte(code: number): boolean {
  return isExponentCharacter(code) || code === POINT || code === 101 || code === 69
}

function isExponentCharacter(code: number): boolean {
  return (code >= ZERO && code <= 57) || code === MINUS || code === 43
}

function parseToken(token: string): string | null {
  try {
    return String(JSON.parse(token))
  } catch {
    return null
  }
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function replaceLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}
