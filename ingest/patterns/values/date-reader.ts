// Reads a date where it stands in a line: what does not fit the format is no date. A date without
// a year, or a time without a day, is the last one that is not clearly after the receipt.
import { daysFromDate, daysInMonth, END_OF_TIME_MS } from '../../../schemas/time/time-date.ts'
import type { TimeZone } from '../../../schemas/time/time-zone.ts'
import {
  DAY,
  DAY_OF_YEAR,
  type DateStep,
  FIELD_COUNT,
  HALF_DAY_HOUR,
  HOUR,
  MINUTE,
  MONTH,
  type Name,
  readDateLetters,
  SECOND,
  YEAR,
} from './date-letters.ts'
import { isDigit } from './read-values.ts'
import { ZoneReader } from './zone-names.ts'

const ZERO = 48
const SPACE = 32
const MISSING = -1
const DAY_MS = 86_400_000
/** So far after the receipt is no future: zones that the line does not name, clocks. */
const AFTER_DATE_MS = DAY_MS
const AFTER_TIME_MS = 3_600_000
/** Between two leap years, 2096 and 2104. */
const MOST_BACK = 8
/** Two-digit years from here on are of 19yy. */
const FIRST_YEAR = 70
const MAX_KEPT_BYTES = 64

export class DateReader {
  /** Of the last `value`: epoch milliseconds, and nanoseconds below them. */
  ms = 0
  nanos = 0
  readonly #steps: readonly DateStep[]
  readonly #timeDiffMs: number
  readonly #fields = new Int32Array(FIELD_COUNT)
  readonly #zones = new ZoneReader()
  #fraction = 0
  #isPm = false
  #hasHalf = false
  #hasZone = false
  #next = 0
  #number = 0
  /** The text of the last value, and whether the same text always means the same. */
  readonly #kept = new Uint8Array(MAX_KEPT_BYTES)
  #keptLength = -1
  #keptZone: TimeZone | null = null

  /** Throws RangeError for a format that cannot be read. */
  constructor(format: string, locale = 'en', timeDiffMs = 0) {
    this.#steps = readDateLetters(format, locale)
    this.#timeDiffMs = timeDiffMs
  }

  /** Gives where the date at `at` ends, -1: there is none. */
  read(bytes: Uint8Array, at: number, limit: number): number {
    const fields = this.#fields
    fields.fill(MISSING)
    this.#fraction = 0
    this.#hasHalf = false
    this.#hasZone = false
    let p = at
    for (const step of this.#steps) {
      switch (step.kind) {
        case 'digits': {
          // As Java does it: ` 1` is read by `dd`.
          if (bytes[p] === SPACE && p < limit && p > at) p++
          if (!this.#readDigits(bytes, p, limit, step.min, step.max)) return -1
          if (this.#number < step.low || this.#number > step.high) return -1
          fields[step.field] = toField(this.#number, step.meaning)
          p = this.#next
          break
        }
        case 'literal': {
          const { length } = step.bytes
          if (p + length > limit) return -1
          for (let i = 0; i < length; i++) if (bytes[p + i] !== step.bytes[i]) return -1
          p += length
          break
        }
        case 'spaces': {
          const start = p
          while (p < limit && bytes[p] === SPACE) p++
          if (p === start) return -1
          break
        }
        case 'fraction':
          if (step.mark !== 0) {
            if (p + 1 >= limit || bytes[p] !== step.mark || !isDigit(bytes[p + 1] ?? 0)) break
            p++
          }
          if (!this.#readDigits(bytes, p, limit, 1, step.max)) return -1
          this.#fraction = this.#number * 10 ** (9 - (this.#next - p))
          p = this.#next
          break
        case 'half': {
          const first = (bytes[p] ?? 0) | 32
          if (p + 2 > limit || (first !== 97 && first !== 112)) return -1
          if (((bytes[p + 1] ?? 0) | 32) !== 109) return -1
          this.#isPm = first === 112
          this.#hasHalf = true
          p += 2
          break
        }
        case 'zone':
          p = this.#zones.read(bytes, p, limit)
          if (p < 0) return -1
          this.#hasZone = true
          break
        case 'month':
        case 'weekday': {
          const name = findName(step.names, bytes, p, limit)
          if (name === undefined) return -1
          if (step.kind === 'month') fields[MONTH] = name.value + 1
          p += name.bytes.length
          break
        }
      }
    }
    return this.#isRealDay() ? p : -1
  }

  /** The date that stands there and was read before; false: no readable time (decision 3.7). A date
   *  without a zone is of `zone`. */
  value(
    bytes: Uint8Array,
    start: number,
    end: number,
    zone: TimeZone,
    receivedMs: number,
  ): boolean {
    if (this.#isKept(bytes, start, end, zone)) return true
    this.#keptLength = -1
    if (this.read(bytes, start, end) !== end) return false
    const fields = this.#fields
    const isWhole = fields[YEAR] !== MISSING
    const ms = isWhole ? this.#instant(zone, 0, 0) : this.#lastInstant(zone, receivedMs)
    if (!(ms >= 0 && ms < END_OF_TIME_MS)) return false
    this.ms = ms + Math.floor(this.#fraction / 1_000_000)
    this.nanos = this.#fraction % 1_000_000
    const length = end - start
    if (isWhole && length <= MAX_KEPT_BYTES) {
      for (let i = 0; i < length; i++) this.#kept[i] = bytes[start + i] ?? 0
      this.#keptLength = length
      this.#keptZone = zone
    }
    return true
  }

  #isKept(bytes: Uint8Array, start: number, end: number, zone: TimeZone): boolean {
    const length = this.#keptLength
    if (end - start !== length || zone !== this.#keptZone) return false
    // The end changes first.
    for (let i = length - 1; i >= 0; i--) if (bytes[start + i] !== this.#kept[i]) return false
    return true
  }

  /** NaN: there is none. */
  #lastInstant(zone: TimeZone, receivedMs: number): number {
    const latest = receivedMs + (this.#isDated() ? AFTER_DATE_MS : AFTER_TIME_MS)
    for (let back = 0; back <= MOST_BACK; back++) {
      const ms = this.#instant(zone, latest - this.#timeDiffMs, back)
      if (ms <= latest) return ms
    }
    return Number.NaN
  }

  #isDated(): boolean {
    return this.#fields[MONTH] !== MISSING || this.#fields[DAY_OF_YEAR] !== MISSING
  }

  /** Whole seconds, in the year or on the day of `nowMs` where the date has none, and so many years
   *  or days earlier. NaN: that year has no such day. */
  #instant(zone: TimeZone, nowMs: number, back: number): number {
    const fields = this.#fields
    const here = this.#hasZone ? (this.#zones.zone ?? this.#zones.offsetSeconds * 1000) : zone
    const localNow = nowMs + (typeof here === 'number' ? here : here.offsetMsAt(nowMs))
    const isDated = this.#isDated()
    let year = fields[YEAR] ?? MISSING
    if (year === MISSING) {
      year = new Date(localNow).getUTCFullYear() - (isDated ? back : 0)
      if (isDated && !this.#isDayOf(year)) return Number.NaN
    }
    let days: number
    if (fields[DAY_OF_YEAR] !== MISSING) {
      days = daysFromDate(year, 1, 1) + (fields[DAY_OF_YEAR] ?? 1) - 1
    } else if (isDated || fields[YEAR] !== MISSING) {
      days = daysFromDate(year, orOne(fields[MONTH]), orOne(fields[DAY]))
    } else days = Math.floor(localNow / DAY_MS) - back
    let hour = orZero(fields[HOUR])
    if (fields[HALF_DAY_HOUR] !== MISSING)
      hour = orZero(fields[HALF_DAY_HOUR]) + (this.#hasHalf && this.#isPm ? 12 : 0)
    const seconds = hour * 3600 + orZero(fields[MINUTE]) * 60 + orZero(fields[SECOND])
    const localMs = days * DAY_MS + seconds * 1000
    const utcMs = typeof here === 'number' ? localMs - here : here.instantOfLocal(localMs)
    return utcMs + this.#timeDiffMs
  }

  #isDayOf(year: number): boolean {
    const fields = this.#fields
    if ((fields[DAY_OF_YEAR] ?? MISSING) > 365) return daysInMonth(year, 2) === 29
    return orOne(fields[DAY]) <= daysInMonth(year, orOne(fields[MONTH]))
  }

  /** Without a year, the 29th of February is. */
  #isRealDay(): boolean {
    const fields = this.#fields
    const day = fields[DAY] ?? MISSING
    if (day <= 28) return true
    const year = fields[YEAR] ?? MISSING
    return day <= daysInMonth(year === MISSING ? 2024 : year, orOne(fields[MONTH]))
  }

  #readDigits(bytes: Uint8Array, at: number, limit: number, min: number, max: number): boolean {
    let number = 0
    let p = at
    const end = Math.min(limit, at + max)
    while (p < end) {
      const digit = (bytes[p] ?? 0) - ZERO
      if (digit < 0 || digit > 9) break
      number = number * 10 + digit
      p++
    }
    this.#number = number
    this.#next = p
    return p - at >= min
  }
}

function toField(number: number, meaning: 'as it is' | 'two digits' | 'of 24' | 'of 12'): number {
  switch (meaning) {
    case 'as it is':
      return number
    case 'two digits':
      return number + (number < FIRST_YEAR ? 2000 : 1900)
    case 'of 24':
      return number === 24 ? 0 : number
    case 'of 12':
      return number === 12 ? 0 : number
  }
}

/** Letter case does not count in ASCII. */
function findName(
  names: readonly Name[],
  bytes: Uint8Array,
  at: number,
  limit: number,
): Name | undefined {
  for (const name of names) {
    const { length } = name.bytes
    if (at + length > limit) continue
    let i = 0
    while (i < length && toLower(bytes[at + i] ?? 0) === name.bytes[i]) i++
    if (i === length) return name
  }
  return undefined
}

function toLower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

function orOne(field: number | undefined): number {
  return field === undefined || field === MISSING ? 1 : field
}

function orZero(field: number | undefined): number {
  return field === undefined || field === MISSING ? 0 : field
}
