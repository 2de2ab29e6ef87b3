import { ByteBuffer } from './byte-buffer.ts'
import { areEqual, type ByteSource, hashOf } from './byte-source.ts'

/** A power of two. */
const PLACES = 256
const MAX_BYTES = 64

/** Strings of values that come again and again (hosts, keys of logs), found by their UTF-8 bytes.
 *  Each has one place, which the last one takes: made-up values cost a decoding each, no more. */
export class TextCache {
  readonly #texts: string[] = Array.from({ length: PLACES }, () => '')
  readonly #lengths = new Uint8Array(PLACES)
  readonly #bytes = new ByteBuffer(PLACES * MAX_BYTES)

  /** The text of the bytes, decoded; bytes that are no UTF-8 give U+FFFD. */
  text(source: ByteSource, start: number, length: number): string {
    if (length > MAX_BYTES) return source.bytes.toString('utf8', start, start + length)
    const place = hashOf(source, start, length) & (PLACES - 1)
    const kept = this.#texts[place]
    const isKept =
      this.#lengths[place] === length &&
      areEqual(source, start, this.#bytes, place * MAX_BYTES, length)
    if (isKept && kept !== undefined) return kept
    const text = source.bytes.toString('utf8', start, start + length)
    this.#texts[place] = text
    this.#lengths[place] = length
    this.#bytes.length = place * MAX_BYTES
    this.#bytes.writeRange(source, start, length)
    return text
  }
}
