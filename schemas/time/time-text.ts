// A time as senders write it -> instant (decision 3.7): ISO 8601 and RFC 3339, RFC 2822, Unix
// seconds, milliseconds, microseconds and nanoseconds by size. The common forms are read digit by
// digit, without regular expressions.
import { trimEnd } from '../names/trim-end.ts'
import { parseCalendarText } from './time-calendar.ts'
import { daysFromDate, daysInMonth, END_OF_TIME_MS, type ParsedTime } from './time-date.ts'
import { epochCode, isoCode, UNPRINTABLE } from './time-format.ts'
import type { TimeZone } from './time-zone.ts'

/** Characters; what is longer is no time. */
export const MAX_TEXT = 128

/** Fills `out` and tells true, or tells false for what is no readable time. Times without a zone
 *  are read in `zone`. */
export function parseTime(text: string, zone: TimeZone, out: ParsedTime): boolean {
  if (text.length > MAX_TEXT) return false
  const isRead =
    readIso(text, zone, out) || readEpoch(text, out) || parseCalendarText(text, zone, out)
  return isRead && out.ms >= 0 && out.ms < END_OF_TIME_MS
}

const ZERO = 48
const MINUS = 45
const PLUS = 43
const POINT = 46
const COMMA = 44
const COLON = 58
const SPACE = 32
const NO_NUMBER = -1000

/** Two digits at `i`; a negative number when there is another character. */
function twoDigits(text: string, i: number): number {
  const tens = text.charCodeAt(i) - ZERO
  const ones = text.charCodeAt(i + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NO_NUMBER
}

/** `yyyy-mm-dd[T ]hh:mm:ss`, fraction by point or comma, Z or an offset or nothing. */
function readIso(text: string, zone: TimeZone, out: ParsedTime): boolean {
  if (text.length < 19 || text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS) return false
  const separator = separatorIndex(text.charCodeAt(10))
  if (separator < 0 || text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return false
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  if (year < 1969 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return false
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return false

  let i = 19
  let nanos = 0
  let digits = 0
  const mark = text.charCodeAt(i)
  if (mark === POINT || mark === COMMA) {
    let scale = 100_000_000
    for (i = 20; ; i++) {
      const digit = text.charCodeAt(i) - ZERO
      if (!(digit >= 0 && digit <= 9)) break
      nanos += digit * scale
      scale = Math.floor(scale / 10)
    }
    digits = i - 20
    if (digits === 0) return false
  }
  const localMs =
    daysFromDate(year, month, day) * 86_400_000 +
    hour * 3_600_000 +
    minute * 60_000 +
    second * 1000 +
    Math.floor(nanos / 1_000_000)
  out.nanos = nanos % 1_000_000
  return readZone(text, i, localMs, zone, out, separator, mark === COMMA ? 1 : 0, digits)
}

function separatorIndex(code: number): number {
  return code === 84 ? 0 : code === SPACE ? 1 : code === 116 ? 2 : -1
}

function readZone(
  text: string,
  at: number,
  localMs: number,
  zone: TimeZone,
  out: ParsedTime,
  separator: number,
  mark: number,
  digits: number,
): boolean {
  const length = text.length
  let style = 0
  let offsetSeconds = 0
  let isPrintable = digits <= 9
  if (at === length) {
    out.ms = zone.instantOfLocal(localMs)
    offsetSeconds = (localMs - out.ms) / 1000
    isPrintable = isPrintable && Number.isInteger(offsetSeconds)
  } else {
    const first = text.charCodeAt(at)
    if ((first === 90 || first === 122) && at + 1 === length) {
      style = first === 90 ? 1 : 2
    } else {
      const i = first === SPACE ? at + 1 : at
      const sign = text.charCodeAt(i)
      if (sign !== PLUS && sign !== MINUS) return false
      const isColon = length === i + 6 && text.charCodeAt(i + 3) === COLON
      if (!isColon && length !== i + 5) return false
      const hours = twoDigits(text, i + 1)
      const minutes = twoDigits(text, isColon ? i + 4 : i + 3)
      if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false
      style = (isColon ? 3 : 4) + (first === SPACE ? 2 : 0)
      offsetSeconds = (hours * 60 + minutes) * (sign === MINUS ? -60 : 60)
      // -00:00 would be printed as +00:00.
      if (sign === MINUS && offsetSeconds === 0) isPrintable = false
    }
    out.ms = localMs - offsetSeconds * 1000
  }
  out.formatCode = isPrintable
    ? isoCode(separator, mark, style, digits, offsetSeconds)
    : UNPRINTABLE
  return true
}

/** Digits of the unit below the second. */
const UNIT_DIGITS = [0, 3, 6, 9]

/** Digits with an optional fraction or exponent; the size of the whole part tells the unit. */
function readEpoch(text: string, out: ParsedTime): boolean {
  let whole = 0
  let i = 0
  for (; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (!(digit >= 0 && digit <= 9)) break
    whole = whole * 10 + digit
  }
  const wholeDigits = i
  if (wholeDigits === 0) return false
  const fractionStart = text.charCodeAt(i) === POINT ? i + 1 : i
  for (i = fractionStart; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (!(digit >= 0 && digit <= 9)) break
  }
  const digits = i - fractionStart
  if (fractionStart > wholeDigits && digits === 0) return false
  if (i < text.length) return readExponent(text, out)

  const unit = whole < 1e11 ? 0 : whole < 1e14 ? 1 : whole < 1e17 ? 2 : 3
  const unitDigits = UNIT_DIGITS[unit] ?? 0
  if (unit < 2 && digits === 0) {
    out.ms = unit === 0 ? whole * 1000 : whole
    out.nanos = 0
  } else {
    const secondDigits = wholeDigits - unitDigits
    const below = text.slice(secondDigits, wholeDigits) + text.slice(fractionStart, i)
    const nanos = Number(below.slice(0, 9).padEnd(9, '0'))
    out.ms = Number(text.slice(0, secondDigits)) * 1000 + Math.floor(nanos / 1_000_000)
    out.nanos = nanos % 1_000_000
  }
  const hasLeadingZero = wholeDigits > 1 && text.charCodeAt(0) === ZERO
  const isPrintable = !hasLeadingZero && unitDigits + digits <= 9
  out.formatCode = isPrintable ? epochCode(unit, digits) : UNPRINTABLE
  // Fourteen digits and the like may be a compact date: let the calendar try.
  return out.ms < END_OF_TIME_MS && !isCompactDate(text)
}

/** `yyyymmdd` within the readable years, which as seconds would be a day of 1970. */
function isCompactDate(text: string): boolean {
  if (text.length !== 8) return false
  const month = twoDigits(text, 4)
  const day = twoDigits(text, 6)
  return (
    text >= '19700101' && text < '22000101' && month >= 1 && month <= 12 && day >= 1 && day <= 31
  )
}

function readExponent(text: string, out: ParsedTime): boolean {
  if (!/^\d+(?:\.\d+)?[eE][+-]?\d{1,3}$/.test(text)) return false
  const value = Number(text)
  if (!(value < 1e20) || !readEpoch(trimEnd(trimEnd(value.toFixed(9), '0'), '.'), out)) return false
  out.formatCode = UNPRINTABLE
  return true
}
