// Text as its readers will see it, and where each byte of it came from: escapes of JSON taken for
// what they stand for, in another round those of JSON within that text, at last those of addresses
// (%40). Buffers are used again for every text.
import { BACKSLASH, HEX } from './bytes.ts'

const PERCENT = 0x25
const LOWER_U = 0x75
const SHORT: ReadonlyMap<number, number> = new Map(
  [...'"\\/bfnrt'].map((it, i) => [it.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(i)]),
)

export class PlainView {
  bytes = new Uint8Array(256)
  /** By byte, and one more for the end: where it begins in what was given. */
  at = new Int32Array(257)
  length = 0

  /** The bytes themselves. */
  take(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start)
    this.bytes.set(source.subarray(start, end))
    this.length = end - start
    for (let i = 0; i <= this.length; i += 1) this.at[i] = start + i
  }

  /** `source` without one round of backslashes; false: it has none. */
  unescape(source: PlainView): boolean {
    return this.#decode(source, BACKSLASH)
  }

  /** `source` without escapes of addresses; false: it has none. */
  unescapeAddress(source: PlainView): boolean {
    return this.#decode(source, PERCENT)
  }

  #decode(source: PlainView, sign: typeof BACKSLASH | typeof PERCENT): boolean {
    const { bytes, length } = source
    if (bytes.subarray(0, length).indexOf(sign) < 0) return false
    this.#reserve(length)
    this.length = 0
    let isChanged = false
    for (let i = 0; i < length; ) {
      const begun = i
      if (bytes[i] !== sign) {
        this.#put(bytes[i] ?? 0, source.at[begun] ?? 0)
        i += 1
        continue
      }
      const taken = sign === PERCENT ? this.#percent(source, i) : this.#backslash(source, i)
      if (taken === 0) this.#put(bytes[i] ?? 0, source.at[begun] ?? 0)
      else isChanged = true
      i += taken || 1
    }
    this.at[this.length] = source.at[length] ?? 0
    return isChanged
  }

  #percent({ bytes, length, at }: PlainView, i: number): number {
    const value = hexOf(bytes, i + 1, 2, length)
    if (value < 0) return 0
    this.#put(value, at[i] ?? 0)
    return 3
  }

  #backslash({ bytes, length, at }: PlainView, i: number): number {
    const from = at[i] ?? 0
    const letter = i + 1 < length ? (bytes[i + 1] ?? 0) : 0
    const short = SHORT.get(letter)
    if (short !== undefined) {
      this.#put(short, from)
      return 2
    }
    const unit = letter === LOWER_U ? hexOf(bytes, i + 2, 4, length) : -1
    if (unit < 0) return 0
    const isHigh = unit >= 0xd800 && unit < 0xdc00
    const isPair = isHigh && bytes[i + 6] === BACKSLASH && bytes[i + 7] === LOWER_U
    const low = isPair ? hexOf(bytes, i + 8, 4, length) : -1
    if (low >= 0xdc00 && low < 0xe000) {
      this.#putCharacter(0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00, from)
      return 12
    }
    this.#putCharacter(unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit, from)
    return 6
  }

  /** In UTF-8; never longer than its escape. */
  #putCharacter(code: number, from: number): void {
    if (code < 0x80) this.#put(code, from)
    else if (code < 0x800) {
      this.#put(0xc0 | (code >> 6), from)
      this.#put(0x80 | (code & 63), from)
    } else {
      if (code < 0x10000) this.#put(0xe0 | (code >> 12), from)
      else {
        this.#put(0xf0 | (code >> 18), from)
        this.#put(0x80 | ((code >> 12) & 63), from)
      }
      this.#put(0x80 | ((code >> 6) & 63), from)
      this.#put(0x80 | (code & 63), from)
    }
  }

  #put(byte: number, from: number): void {
    this.bytes[this.length] = byte
    this.at[this.length] = from
    this.length += 1
  }

  #reserve(length: number): void {
    if (this.bytes.length >= length) return
    this.bytes = new Uint8Array(length * 2)
    this.at = new Int32Array(length * 2 + 1)
  }
}

function hexOf(bytes: Uint8Array, at: number, digits: number, end: number): number {
  if (at + digits > end) return -1
  let value = 0
  for (let i = at; i < at + digits; i += 1) {
    const byte = bytes[i] ?? 0
    if (HEX[byte] !== 1) return -1
    value = value * 16 + (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 87)
  }
  return value
}
