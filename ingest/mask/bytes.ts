// Kinds of bytes that several detectors ask for, as tables: 1 is yes.

function table(of: (character: string, byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    of(String.fromCharCode(byte), byte) ? 1 : 0,
  )
}

export const DIGITS = table((it) => /[0-9]/.test(it))
export const LETTERS = table((it) => /[A-Za-z]/.test(it))
export const HEX = table((it) => /[0-9A-Fa-f]/.test(it))
/** Letters, digits, the underscore, and all of a character beyond ASCII. */
export const WORD = table((it, byte) => byte > 127 || /\w/.test(it))
/** Of an address of mail before its @. */
export const LOCAL_PART = table((it, byte) => byte > 127 || /[\w.%+'-]/.test(it))
export const DOMAIN = table((it, byte) => byte > 127 || /[A-Za-z0-9.-]/.test(it))
export const ADDRESS = table((it) => /[0-9A-Fa-f:.]/.test(it))
/** RFC 6750: token68. */
export const TOKEN = table((it) => /[\w.~+/=-]/.test(it))
export const JWT = table((it) => /[\w.=-]/.test(it))

export const BACKSLASH = 0x5c
export const QUOTE = 0x22
export const SPACE = 0x20
export const COLON = 0x3a
export const DOT = 0x2e
export const HYPHEN = 0x2d
export const PLUS = 0x2b

/** Where what `kinds` takes ends, from `at` on, before `end`. */
export function runEnd(bytes: Uint8Array, at: number, end: number, kinds: Uint8Array): number {
  let i = at
  while (i < end && kinds[bytes[i] ?? 0] === 1) i += 1
  return i
}

/** Where what `kinds` takes begins that ends before `at`. */
export function runStart(bytes: Uint8Array, at: number, start: number, kinds: Uint8Array): number {
  let i = at
  while (i > start && kinds[bytes[i - 1] ?? 0] === 1) i -= 1
  return i
}
