// Where the tokens of JSON (RFC 8259) end, on bytes. Strict but for UTF-8: bytes above 0x7f are
// taken as they are (decision 2.1). No token holds a line end, so a token at fault and its start
// are on the same line: the scanner's resynchronising rests on that.

export const NEWLINE = 0x0a
export const QUOTE = 0x22
export const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
export const NINE = 0x39
export const COLON = 0x3a
export const OPEN_ARRAY = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_ARRAY = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
/** What `byteAt` gives after the last byte. */
export const END = -1

const DOT = 0x2e
const PLUS = 0x2b
const LOWER_E = 0x65
const LOWER_U = 0x75
/** ORed to a letter: its small form. */
const SMALL = 0x20

/** 1 for bytes that a string may hold as they are: no quote, no backslash, no control character. */
const PLAIN = new Uint8Array(256).fill(1, 0x20)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

/** Length of the escape by the byte after the backslash; 0 for none. */
const ESCAPE_LENGTH = new Uint8Array(256)
for (const letter of '"\\/bfnrt') ESCAPE_LENGTH[letter.charCodeAt(0)] = 2
ESCAPE_LENGTH[LOWER_U] = 6

const HEX = new Uint8Array(256)
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1

const LITERALS = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')]

export function byteAt(bytes: Uint8Array, at: number): number {
  return at < bytes.length ? (bytes[at] ?? END) : END
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}

/** First position from `at` that is not white space. */
export function spaceEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.length
  let i = at
  while (i < end && isSpace(bytes[i] ?? END)) i += 1
  return i
}

/** First position from `at` that a string does not hold as it is. */
export function plainEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.length
  let i = at
  while (i < end && PLAIN[bytes[i] ?? 0] === 1) i += 1
  return i
}

/** `at` stands on a backslash. -1: no escape of JSON. */
export function escapeEnd(bytes: Uint8Array, at: number): number {
  const length = ESCAPE_LENGTH[byteAt(bytes, at + 1)] ?? 0
  if (length === 0) return -1
  for (let i = at + 2; i < at + length; i += 1) {
    if (HEX[byteAt(bytes, i)] !== 1) return -1
  }
  return at + length
}

/** -1: no number of JSON begins here (`01`, `+1`, `.5`, `1.` and `1e` are none). What follows is
 *  not looked at. */
export function numberEnd(bytes: Uint8Array, at: number): number {
  let i = byteAt(bytes, at) === MINUS ? at + 1 : at
  const first = byteAt(bytes, i)
  if (first === ZERO) i += 1
  else {
    const end = digitsEnd(bytes, i)
    if (end === i) return -1
    i = end
  }
  if (byteAt(bytes, i) === DOT) {
    const end = digitsEnd(bytes, i + 1)
    if (end === i + 1) return -1
    i = end
  }
  if ((byteAt(bytes, i) | SMALL) === LOWER_E) {
    const sign = byteAt(bytes, i + 1)
    const from = sign === MINUS || sign === PLUS ? i + 2 : i + 1
    const end = digitsEnd(bytes, from)
    if (end === from) return -1
    i = end
  }
  return i
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  let i = at
  for (let byte = byteAt(bytes, i); byte >= ZERO && byte <= NINE; byte = byteAt(bytes, i)) i += 1
  return i
}

/** What may stand after a number or literal inside a container. */
export function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isSpaceOrEnd(byte)
}

export function isSpaceOrEnd(byte: number): boolean {
  return isSpace(byte) || byte === END
}

/** true, false, null; -1 for anything else. */
export function literalEnd(bytes: Uint8Array, at: number): number {
  for (const literal of LITERALS) {
    if (literal[0] === bytes[at]) return matches(bytes, at, literal) ? at + literal.length : -1
  }
  return -1
}

function matches(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 1; i < text.length; i += 1) {
    if (bytes[at + i] !== text[i]) return false
  }
  return true
}
