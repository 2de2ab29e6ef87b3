// Whether bytes are UTF-8 as a decoder takes it (no overlong forms, no surrogates, nothing beyond
// U+10FFFF).

export const INVALID = 0
/** Valid, but a U+FFFD stands in it, which may stand for invalid bytes that the sender had already
 *  replaced. */
export const DOUBTFUL = 1
export const VALID = 2
export type Utf8Check = typeof INVALID | typeof DOUBTFUL | typeof VALID

export function checkUtf8(bytes: Uint8Array, start: number, end: number): Utf8Check {
  let check: Utf8Check = VALID
  for (let i = start; i < end; ) {
    const first = bytes[i] ?? 0
    if (first < 0x80) {
      i += 1
      continue
    }
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    if (first < 0xc2 || first > 0xf4 || i + length > end) return INVALID
    const second = bytes[i + 1] ?? 0
    const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
    const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
    if (second < least || second > most) return INVALID
    for (let k = i + 2; k < i + length; k += 1) {
      if (((bytes[k] ?? 0) & 0xc0) !== 0x80) return INVALID
    }
    if (first === 0xef && second === 0xbf && bytes[i + 2] === 0xbd) check = DOUBTFUL
    i += length
  }
  return check
}
