// Reads the times of events. Times of one sender mostly differ below the second only: then the
// second that was read before is taken, and only the fraction is read. Everything else is read by
// schemas/time/time-text.ts.

import type { ParsedTime } from '../../schemas/time/time-date.ts'
import { UNPRINTABLE } from '../../schemas/time/time-format.ts'
import { parseTime } from '../../schemas/time/time-text.ts'
import type { TimeZone } from '../../schemas/time/time-zone.ts'
import { ByteBuffer } from '../bytes/byte-buffer.ts'
import { areEqual, type ByteSource } from '../bytes/byte-source.ts'

const ZERO = 48
const POINT = 46
const MINUS = 45
/** `yyyy-mm-ddThh:mm:ss.` */
const SECOND_BYTES = 20
const MAX_FRACTION_DIGITS = 9
const MAX_BYTES = 40

export class TimeReader {
  readonly #zone: TimeZone
  readonly #out: ParsedTime
  /** The text read last that has a fraction and a zone; '' for none. */
  readonly #kept = new ByteBuffer(MAX_BYTES)
  #fractionEnd = 0
  #secondMs = 0
  #formatCode = 0

  /** Fills `out`. Times without a zone are read in `zone`. */
  constructor(zone: TimeZone, out: ParsedTime) {
    this.#zone = zone
    this.#out = out
  }

  /** False for what is no readable time. */
  read(source: ByteSource, start: number, length: number): boolean {
    if (length === this.#kept.length && length > 0 && this.#readLike(source, start)) return true
    const text = source.bytes.toString('utf8', start, start + length)
    if (!this.readText(text)) return false
    this.#keep(source, start, length)
    return true
  }

  readText(text: string): boolean {
    return parseTime(text, this.#zone, this.#out)
  }

  /** The same second and the same spelling as the one before. */
  #readLike(source: ByteSource, start: number): boolean {
    const end = this.#fractionEnd
    const kept = this.#kept
    if (!areEqual(source, start, kept, 0, SECOND_BYTES)) return false
    if (!areEqual(source, start + end, kept, end, kept.length - end)) return false
    let nanos = 0
    for (let i = SECOND_BYTES; i < end; i++) {
      const digit = (source.bytes[start + i] ?? 0) - ZERO
      if (digit < 0 || digit > 9) return false
      nanos = nanos * 10 + digit
    }
    for (let i = end; i < SECOND_BYTES + MAX_FRACTION_DIGITS; i++) nanos *= 10
    const milliseconds = Math.floor(nanos / 1_000_000)
    this.#out.ms = this.#secondMs + milliseconds
    this.#out.nanos = nanos - milliseconds * 1_000_000
    this.#out.formatCode = this.#formatCode
    return true
  }

  /** Only with a zone: a reading without one may be another instant within the second. */
  #keep(source: ByteSource, start: number, length: number): void {
    this.#kept.reset()
    if (length <= SECOND_BYTES || length > MAX_BYTES) return
    const { bytes } = source
    if (bytes[start + SECOND_BYTES - 1] !== POINT || bytes[start + 4] !== MINUS) return
    // An odd spelling may count its fraction in another way (leap seconds).
    if (this.#out.formatCode === UNPRINTABLE) return
    let end = SECOND_BYTES
    while (end < length && isDigit(bytes[start + end] ?? 0)) end++
    if (end === length || end === SECOND_BYTES || end > SECOND_BYTES + MAX_FRACTION_DIGITS) return
    this.#kept.writeRange(source, start, length)
    this.#fractionEnd = end
    this.#secondMs = Math.floor(this.#out.ms / 1000) * 1000
    this.#formatCode = this.#out.formatCode
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}
