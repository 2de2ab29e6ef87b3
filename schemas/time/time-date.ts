// Days of the calendar, and the instant that reading a time gives (schemas/time/time-text.ts).

/** First instant of 2200; times from 1970 up to it are readable (decision 3.7). */
export const END_OF_TIME_MS = 7_258_118_400_000

/** Reused by the hot path: valid until the next call. */
export type ParsedTime = {
  /** Epoch milliseconds, 0 <= ms < END_OF_TIME_MS. */
  ms: number
  /** Nanoseconds below the millisecond, 0–999,999. */
  nanos: number
  /** How it was written (schemas/time/time-format.ts); 0 when printing it again would give another
   *  text. */
  formatCode: number
}

/** Days from 1970-01-01 of a proleptic Gregorian date. */
export function daysFromDate(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146_097 + dayOfEra + dayOfYear - 719_468
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function daysInMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeapYear ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0)
}

/** The same day of a later month, or its last one; in UTC. */
export function addUtcMonths(ms: number, months: number): number {
  const from = new Date(ms)
  const index = from.getUTCMonth() + months
  const [year, month] = [from.getUTCFullYear() + Math.floor(index / 12), index % 12]
  const day = Math.min(from.getUTCDate(), daysInMonth(year, month + 1))
  return Date.UTC(year, month, day) + (ms % 86_400_000)
}
