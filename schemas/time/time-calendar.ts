// The rarer spellings of a time: all other forms of ISO 8601 (basic, week and ordinal dates,
// without seconds, 24:00, leap seconds, zone names UTC and GMT) and RFC 2822. Regular expressions
// over at most 128 characters.
import { daysFromDate, daysInMonth, type ParsedTime } from './time-date.ts'
import { encodeTimeFormat, MONTHS, printTime, UNPRINTABLE } from './time-format.ts'
import type { TimeZone } from './time-zone.ts'

const DATE =
  '(?<year>\\d{4})(?:-?(?<month>\\d{2})-?(?<day>\\d{2})|-?W(?<week>\\d{2})-?(?<weekday>[1-7])|-?(?<ordinal>\\d{3}))'
const CLOCK =
  '(?<hour>\\d{2})(?::?(?<minute>\\d{2})(?::?(?<second>\\d{2})(?:[.,](?<fraction>\\d+))?)?)?'
const ZONE = ' ?(?<zone>[Zz]|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)(?:\\[[^\\]]+\\])?'
const ISO = new RegExp(`^${DATE}(?:(?:[Tt ]|(?=\\d{6}))${CLOCK}(?:${ZONE})?)?$`)

const MAIL = new RegExp(
  '^(?:(?:mon|tue|wed|thu|fri|sat|sun),? *)?(?<day>\\d{1,2}) +(?<month>[a-z]{3}) +(?<year>\\d{4}|\\d{2,3}) +' +
    '(?<hour>\\d{2}):(?<minute>\\d{2})(?::(?<second>\\d{2}))?(?: *(?<zone>[+-]\\d{4}|[a-z]{1,3}))?(?: *\\([^()]*\\))?$',
  'i',
)
/** Hours east of UTC of the zone names of RFC 2822; one-letter military zones mean an unknown
 *  offset, UTC. */
const MAIL_ZONES: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
}

type Fields = Readonly<Record<string, string | undefined>>

/** Fills `out`; the range of years is the caller's business. */
export function parseCalendarText(text: string, zone: TimeZone, out: ParsedTime): boolean {
  const trimmed = text.trim()
  const iso = ISO.exec(trimmed)
  if (iso?.groups !== undefined) return readIsoFields(iso.groups, zone, out)
  const mail = MAIL.exec(trimmed)
  if (mail?.groups !== undefined) return readMailFields(mail.groups, text, zone, out)
  return false
}

function readIsoFields(fields: Fields, zone: TimeZone, out: ParsedTime): boolean {
  const days = isoDays(fields)
  const clockMs = clockOf(fields, true)
  if (days === null || clockMs === null) return false
  const offsetSeconds = fields.zone === undefined ? null : isoOffset(fields.zone)
  const nanos = Number((fields.fraction ?? '').slice(0, 9).padEnd(9, '0'))
  const localMs = days * 86_400_000 + clockMs + Math.floor(nanos / 1_000_000)
  out.ms = offsetSeconds === null ? zone.instantOfLocal(localMs) : localMs - offsetSeconds * 1000
  out.nanos = nanos % 1_000_000
  out.formatCode = UNPRINTABLE
  return !Number.isNaN(out.ms)
}

function isoDays(fields: Fields): number | null {
  const year = Number(fields.year)
  if (fields.month !== undefined) return dateDays(year, Number(fields.month), Number(fields.day))
  if (fields.ordinal !== undefined) {
    const ordinal = Number(fields.ordinal)
    const length = daysInMonth(year, 2) + 337
    return ordinal >= 1 && ordinal <= length ? daysFromDate(year, 1, 1) + ordinal - 1 : null
  }
  const week = Number(fields.week)
  if (week < 1 || week > 53) return null
  // Week 1 holds January 4th; 1970-01-01 was a Thursday.
  const fourth = daysFromDate(year, 1, 4)
  const monday = fourth - ((((fourth + 3) % 7) + 7) % 7)
  return monday + (week - 1) * 7 + Number(fields.weekday) - 1
}

function dateDays(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  return daysFromDate(year, month, day)
}

/** Milliseconds of the day; 24:00:00 and second 60 are the next moment. */
function clockOf(fields: Fields, is24Allowed: boolean): number | null {
  const hour = Number(fields.hour ?? 0)
  const minute = Number(fields.minute ?? 0)
  const second = Number(fields.second ?? 0)
  if (minute > 59 || second > 60) return null
  const isEndOfDay = is24Allowed && hour === 24 && minute === 0 && second === 0
  if (hour > 23 && !isEndOfDay) return null
  return (hour * 60 + minute) * 60_000 + second * 1000
}

function isoOffset(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0
  return signedOffset(zone.replace(':', '').padEnd(5, '0'))
}

/** `±hhmm` -> seconds; NaN when out of range. */
function signedOffset(text: string): number {
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3, 5))
  if (hours > 23 || minutes > 59) return Number.NaN
  return (hours * 60 + minutes) * (text.startsWith('-') ? -60 : 60)
}

function readMailFields(fields: Fields, text: string, zone: TimeZone, out: ParsedTime): boolean {
  const month = MONTHS.findIndex((name) => name.toLowerCase() === fields.month?.toLowerCase()) + 1
  const days = dateDays(mailYear(fields.year ?? ''), month, Number(fields.day))
  const clockMs = clockOf(fields, false)
  const offsetSeconds = fields.zone === undefined ? null : mailOffset(fields.zone.toLowerCase())
  if (days === null || clockMs === null || Number.isNaN(offsetSeconds)) return false
  const localMs = days * 86_400_000 + clockMs
  out.ms = offsetSeconds === null ? zone.instantOfLocal(localMs) : localMs - offsetSeconds * 1000
  out.nanos = 0
  out.formatCode = UNPRINTABLE
  if (offsetSeconds !== null) {
    const format = { kind: 'mail', offsetSeconds } as const
    if (printTime(format, out.ms, 0) === text) out.formatCode = encodeTimeFormat(format)
  }
  return true
}

/** RFC 2822 section 4.3: two digits below 50 are of this century, three digits count from 1900. */
function mailYear(text: string): number {
  const year = Number(text)
  if (text.length === 4) return year
  return text.length === 2 && year < 50 ? 2000 + year : 1900 + year
}

function mailOffset(zone: string): number {
  if (/^[+-]/.test(zone)) return signedOffset(zone)
  if (zone.length === 1) return 0
  return (MAIL_ZONES[zone] ?? Number.NaN) * 3600
}
