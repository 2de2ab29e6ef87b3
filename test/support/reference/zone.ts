// Local times of a zone by Intl alone, and the calendar of buckets (search-language#interval,
// #datastream).
import type { TimeUnit } from '../../../schemas/time/time-unit.ts'

export type Wall = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

export function wallOf(ms: number, zone: string): Wall {
  const local = new Date(Math.floor(ms + offsetMs(ms, zone)))
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  }
}

/** Offsets change at whole quarters of an hour. */
const QUARTER_MS = 900_000
const offsets = new Map<string, number>()

export function offsetMs(ms: number, zone: string): number {
  const quarter = Math.floor(ms / QUARTER_MS) * QUARTER_MS
  const key = `${quarter} ${zone}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const offset = wallMs(shownWall(quarter, zone)) - quarter
  offsets.set(key, offset)
  return offset
}

function shownWall(ms: number, zone: string): Wall {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}

/** As if the wall were in UTC. */
export function wallMs({ year, month, day, hour, minute, second }: Wall): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** A local time that does not exist: the later; one that exists twice: the earlier (decision
 *  4.3). */
export function instantOf(localMs: number, zone: string): number {
  const offsets = [localMs - DAY_MS, localMs + DAY_MS].map((ms) => offsetMs(ms, zone))
  const fitting = offsets
    .map((offset) => localMs - offset)
    .filter((ms) => ms + offsetMs(ms, zone) === localMs)
  return fitting.length > 0
    ? Math.min(...fitting)
    : Math.max(...offsets.map((offset) => localMs - offset))
}

/** Days since 1970 of the local date. */
function dayOf(ms: number, zone: string): number {
  const { year, month, day } = wallOf(ms, zone)
  return Date.UTC(year, month - 1, day) / DAY_MS
}

/** The first moment of a local day: midnight, or what stands in its place. */
export function dayStart(day: number, zone: string): number {
  const localMs = day * DAY_MS
  const candidates = [localMs - DAY_MS, localMs, localMs + DAY_MS].map(
    (ms) => localMs - offsetMs(ms, zone),
  )
  const starts = candidates.filter((ms) => dayOf(ms, zone) >= day && dayOf(ms - 1, zone) < day)
  return starts.length > 0 ? Math.min(...starts) : Math.min(...candidates)
}

export type Step = { readonly count: number; readonly unit: TimeUnit }

/** Start of the bucket that holds the moment. */
export function bucketStart(ms: number, step: Step, zone: string, firstMs: number): number {
  const day = dayOf(ms, zone)
  switch (step.unit) {
    case 'second':
    case 'minute':
    case 'hour': {
      const length = lengthOf(step)
      if (length % DAY_MS === 0)
        return bucketStart(ms, { count: length / DAY_MS, unit: 'day' }, zone, firstMs)
      // More than a day is counted from the first midnight.
      const start = dayStart(length < DAY_MS ? day : dayOf(firstMs, zone), zone)
      return start + Math.floor((ms - start) / length) * length
    }
    case 'day':
      return dayStart(countedFrom(dayOf(firstMs, zone), day, step.count), zone)
    case 'week': {
      const monday = (of: number) => of - ((((of + 3) % 7) + 7) % 7)
      return dayStart(countedFrom(monday(dayOf(firstMs, zone)), monday(day), step.count * 7), zone)
    }
    case 'month': {
      const { year, month } = wallOf(ms, zone)
      const months = year * 12 + month - 1
      return monthStart(months - (months % step.count), zone)
    }
    case 'year': {
      const { year } = wallOf(ms, zone)
      return monthStart((year - (year % step.count)) * 12, zone)
    }
  }
}

/** Start of the bucket after the one that starts here. */
export function nextBucket(start: number, step: Step, zone: string): number {
  const day = dayOf(start, zone)
  switch (step.unit) {
    case 'second':
    case 'minute':
    case 'hour': {
      const length = lengthOf(step)
      if (length % DAY_MS === 0) return dayStart(day + length / DAY_MS, zone)
      return length < DAY_MS ? Math.min(start + length, dayStart(day + 1, zone)) : start + length
    }
    case 'day':
      return dayStart(day + step.count, zone)
    case 'week':
      return dayStart(day + step.count * 7, zone)
    case 'month':
    case 'year': {
      const { year, month } = wallOf(start, zone)
      return monthStart(year * 12 + month - 1 + step.count * (step.unit === 'year' ? 12 : 1), zone)
    }
  }
}

function countedFrom(first: number, day: number, length: number): number {
  return first + Math.floor((day - first) / length) * length
}

/** `months`: since the year 0. */
function monthStart(months: number, zone: string): number {
  return dayStart(Date.UTC(Math.floor(months / 12), months % 12, 1) / DAY_MS, zone)
}

/** No bucket is longer. */
export function longestMs({ count, unit }: Step): number {
  const days = { day: 1, week: 7, month: 31, year: 366 }
  if (unit === 'second' || unit === 'minute' || unit === 'hour') return lengthOf({ count, unit })
  return count * (days[unit] * DAY_MS + 2 * HOUR_MS)
}

function lengthOf({ count, unit }: Step): number {
  return count * (unit === 'second' ? SECOND_MS : unit === 'minute' ? 60_000 : HOUR_MS)
}

/** Java letters, as many as the tests use. */
export function formatWall(pattern: string, moment: number, zone: string): string {
  const ms = Math.floor(moment)
  const nanoseconds = Math.round((moment - ms) * 1_000_000)
  const wall = wallOf(ms, zone)
  const pad = (value: number, width: number) => String(value).padStart(width, '0')
  const day = Date.UTC(wall.year, wall.month - 1, wall.day)
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(day)
  return pattern.replace(/'([^']*)'|([a-zA-Z])\2*/g, (run, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted
    switch (run[0]) {
      case 'y':
        return run.length === 2 ? pad(wall.year % 100, 2) : pad(wall.year, run.length)
      case 'M':
        if (run.length === 4) return name({ month: 'long' })
        return run.length === 3 ? name({ month: 'short' }) : pad(wall.month, run.length)
      case 'd':
        return pad(wall.day, run.length)
      case 'H':
        return pad(wall.hour, run.length)
      case 'm':
        return pad(wall.minute, run.length)
      case 's':
        return pad(wall.second, run.length)
      case 'S':
        return (pad(((ms % 1000) + 1000) % 1000, 3) + pad(nanoseconds, 6))
          .padEnd(run.length, '0')
          .slice(0, run.length)
      case 'E':
        return name({ weekday: run.length === 4 ? 'long' : 'short' })
      default:
        throw new Error(`the reference prints no ${run}`)
    }
  })
}

const DATE_FORMAT = 'MM/dd/yyyy HH:mm:ss'

/** The system date format, and milliseconds when they are not zero
 *  (search-language#the-result-of-a-simple-search). */
export function printMoment(moment: number, zone: string): string {
  const ms = Math.floor(moment)
  return formatWall(ms % 1000 === 0 ? DATE_FORMAT : `${DATE_FORMAT}.SSS`, ms, zone)
}

/** Of a value: milliseconds, system date format or ISO 8601 (2.4). */
export function readMoment(text: string, zone: string): number | null {
  if (/^\d+$/.test(text)) return Number(text)
  const own = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?$/.exec(text)
  if (own) {
    const [, month, day, year, hour, minute, second, ms = '0'] = own.map(Number)
    const local = Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    )
    return instantOf(local, zone) + (Number.isNaN(Number(ms)) ? 0 : Number(ms))
  }
  if (/Z$|[+-]\d\d:\d\d$/.test(text)) return Date.parse(text)
  const local = Date.parse(text.length === 10 ? text : `${text}Z`)
  return Number.isNaN(local) ? null : instantOf(local, zone)
}

/** Of a value of the data: ISO 8601 or the system date format. */
export function readDate(text: string, zone: string): number | null {
  const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/
  const own = /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/
  return iso.test(text) || own.test(text) ? readMoment(text, zone) : null
}
