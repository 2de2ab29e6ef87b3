// The values of the columns of numbers and times of an event that fitted; all others are their
// text. Typed arrays, reused from event to event.

import { END_OF_TIME_MS } from '../../../schemas/time/time-date.ts'
import type { TimeZone } from '../../../schemas/time/time-zone.ts'
import type { PatternColumn, Program } from '../match/program.ts'
import { digitsEnd } from './read-values.ts'

// What the value of a column is.
export const NO_VALUE = 0
export const TEXT_VALUE = 1
/** Fits a double exactly as written. */
export const NUMBER_VALUE = 2
/** Its text is its value: `007`, `1.10`, thirty digits. */
export const EXACT_NUMBER_VALUE = 3
/** Milliseconds since 1970 in `numbers`, nanoseconds below them in `nanos`. */
export const TIME_VALUE = 4

const ZERO = 48
const MINUS = 45
/** So many digits a double always holds. */
const SAFE_DIGITS = 15

export class MatchValues {
  readonly kinds: Uint8Array
  readonly numbers: Float64Array
  readonly nanos: Int32Array
  readonly #columns: readonly PatternColumn[]

  constructor({ columns }: Program) {
    this.#columns = columns
    this.kinds = new Uint8Array(columns.length)
    this.numbers = new Float64Array(columns.length)
    this.nanos = new Int32Array(columns.length)
  }

  read(
    bytes: Uint8Array,
    starts: Int32Array,
    ends: Int32Array,
    receivedMs: number,
    zone: TimeZone,
  ): void {
    const columns = this.#columns
    for (let i = 0; i < columns.length; i++) {
      const start = starts[i] ?? -1
      const end = ends[i] ?? 0
      const column = columns[i]
      if (start < 0 || column === undefined) this.kinds[i] = NO_VALUE
      else if (column.type === 'number') this.kinds[i] = this.#readNumber(i, bytes, start, end)
      else if (column.date !== null) {
        const { date } = column
        const isTime = date.value(bytes, start, end, zone, receivedMs)
        this.kinds[i] = isTime ? TIME_VALUE : TEXT_VALUE
        this.numbers[i] = isTime ? date.ms : 0
        this.nanos[i] = isTime ? date.nanos : 0
      } else if (column.type === 'timestamp') {
        this.kinds[i] = this.#readTimestamp(i, column, bytes, start, end)
      } else this.kinds[i] = end > start ? TEXT_VALUE : NO_VALUE
    }
  }

  #readNumber(i: number, bytes: Uint8Array, start: number, end: number): number {
    const isNegative = bytes[start] === MINUS
    const first = isNegative ? start + 1 : start
    const digits = end - first
    const hasZero = bytes[first] === ZERO && (digits > 1 || isNegative)
    if (digits <= SAFE_DIGITS && !hasZero) {
      let number = 0
      let at = first
      for (; at < end; at++) {
        const digit = (bytes[at] ?? 0) - ZERO
        if (digit < 0) break
        number = number * 10 + digit
      }
      if (at === end) {
        this.numbers[i] = isNegative ? -number : number
        return NUMBER_VALUE
      }
    }
    const text = asciiText(bytes, start, end)
    const number = Number(text)
    this.numbers[i] = number
    return String(number) === text ? NUMBER_VALUE : EXACT_NUMBER_VALUE
  }

  #readTimestamp(
    i: number,
    { product, timeDiffMs }: PatternColumn,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): number {
    const point = digitsEnd(bytes, start, end)
    const whole = Number(asciiText(bytes, start, point)) * product
    const part = point < end ? Number(`0${asciiText(bytes, point, end)}`) * product : 0
    const ms = whole + Math.floor(part)
    const isReadable = ms + timeDiffMs >= 0 && ms + timeDiffMs < END_OF_TIME_MS
    this.numbers[i] = isReadable ? ms + timeDiffMs : 0
    this.nanos[i] = isReadable ? Math.min(999_999, Math.round((part % 1) * 1_000_000)) : 0
    return isReadable ? TIME_VALUE : TEXT_VALUE
  }
}

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0)
  return text
}
