// The time window of a search or statistics call (decision 4.3): start <= time < end.
// Rolling intervals end now; calendar ones follow the wall clock of the system time zone through
// its changes.
import type { DateFormat } from './date-format.ts'
import { isRealLocalTime, localToUtcMs } from './local-time.ts'
import type { TimeZone } from './time-zone.ts'
import { addMonths, daysSinceMonday, instantOf, localAt, MIDNIGHT } from './wall-clock.ts'

/** Epoch milliseconds; the end is outside. null: open on that side (allData). */
export type TimeWindow = { readonly startMs: number | null; readonly endMs: number | null }
type BoundedWindow = { readonly startMs: number; readonly endMs: number }

export const FIXED_INTERVALS = [
  'last15Minutes',
  'last30Minutes',
  'last60Minutes',
  'last3Hours',
  'last12Hours',
  'last24Hours',
  'last7Days',
  'last14Days',
  'last1Months',
  'last6Months',
  'currentDay',
  'previousDay',
  'currentWeek',
  'previousWeek',
  'allData',
] as const
export type FixedInterval = (typeof FIXED_INTERVALS)[number]
export const DEFAULT_INTERVAL: FixedInterval = 'last24Hours'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ALL_DATA: TimeWindow = { startMs: null, endMs: null }

export function parseFixedInterval(text: string): FixedInterval | undefined {
  return FIXED_INTERVALS.find((name) => name === text)
}

export function windowOfInterval(
  interval: Exclude<FixedInterval, 'allData'>,
  nowMs: number,
  zone: TimeZone,
): BoundedWindow
export function windowOfInterval(interval: FixedInterval, nowMs: number, zone: TimeZone): TimeWindow
export function windowOfInterval(
  interval: FixedInterval,
  nowMs: number,
  zone: TimeZone,
): TimeWindow {
  const rolling = (lengthMs: number) => ({ startMs: nowMs - lengthMs, endMs: nowMs })
  const now = localAt(nowMs, zone)
  const monday = -daysSinceMonday(now)
  const monthsBefore = (months: number) => instantOf(addMonths(now, -months), zone)
  const days = (from: number, to: number) => {
    const today = { ...now, ...MIDNIGHT }
    return {
      startMs: instantOf({ ...today, day: today.day + from }, zone),
      endMs: instantOf({ ...today, day: today.day + to }, zone),
    }
  }
  switch (interval) {
    case 'last15Minutes':
      return rolling(15 * MINUTE)
    case 'last30Minutes':
      return rolling(30 * MINUTE)
    case 'last60Minutes':
      return rolling(60 * MINUTE)
    case 'last3Hours':
      return rolling(3 * HOUR)
    case 'last12Hours':
      return rolling(12 * HOUR)
    case 'last24Hours':
      return rolling(DAY)
    case 'last7Days':
      return rolling(7 * DAY)
    case 'last14Days':
      return rolling(14 * DAY)
    case 'last1Months':
      return { startMs: monthsBefore(1), endMs: nowMs }
    case 'last6Months':
      return { startMs: monthsBefore(6), endMs: nowMs }
    case 'currentDay':
      return days(0, 1)
    case 'previousDay':
      return days(-1, 0)
    case 'currentWeek':
      return days(monday, monday + 7)
    case 'previousWeek':
      return days(monday - 7, monday)
    case 'allData':
      return ALL_DATA
  }
}

export type ExplicitTime = {
  readonly startMs: number
  /** End of the smallest unit that was written (second or millisecond), so that the unit itself is
   *  inside a window that ends here. */
  readonly endMs: number
}

/** A time in the system date format to the letter, or ISO 8601 (with `Z`, an offset, or neither:
 *  then system time). */
export function parseExplicitTime(
  text: string,
  format: DateFormat,
  zone: TimeZone,
): ExplicitTime | undefined {
  const own = format.parse(text)
  if (own !== undefined) {
    const startMs =
      own.offsetMinutes === undefined
        ? instantOf(own.local, zone)
        : localToUtcMs(own.local) - own.offsetMinutes * MINUTE
    return { startMs, endMs: startMs + (own.local.millisecond === 0 ? 1000 : 1) }
  }
  return parseIsoTime(text, zone)
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)?)?$/

function parseIsoTime(text: string, zone: TimeZone): ExplicitTime | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, fraction, utc, sign, offHours, offMinutes] =
    match
  const local = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    millisecond: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
  }
  const offset = Number(offHours ?? 0) * 60 + Number(offMinutes ?? 0)
  if (!isRealLocalTime(local) || Number(offMinutes ?? 0) > 59 || offset > 18 * 60) return undefined
  const startMs =
    utc === undefined && sign === undefined
      ? instantOf(local, zone)
      : localToUtcMs(local) - (sign === '-' ? -offset : offset) * MINUTE
  return { startMs, endMs: startMs + (fraction === undefined ? 1000 : 1) }
}
