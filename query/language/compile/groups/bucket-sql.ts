// Intervals as SQL (search-language#interval): the start of the one that holds a moment, cut at the
// calendar of the system time zone. Seconds, minutes and hours count from local midnight; after a
// change of daylight saving they go on with their length, so that the night has an hour more or
// less. Everything in whole seconds since 1970, Int64.

import { REFUSALS } from '../../../../schemas/store/refusals.ts'
import type { Interval } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'

export type Step = Pick<Interval, 'count' | 'unit'>

export type Buckets = {
  /** All begin at whole quarters of an hour. */
  readonly isOfQuarters: boolean
  /** The piece of time, from nanoseconds, that lies wholly in one interval. Rows are grouped by it
   *  first, cheaply. */
  readonly slot: (nanos: string) => string
  /** Start of the interval of a moment. `first`: a moment of the first day, from which several days
   *  or weeks are counted. */
  readonly start: (seconds: string, first: string) => string
  /** Array of the starts of all intervals between two moments, and perhaps of some more. */
  readonly starts: (first: string, last: string) => string
}

const DAY = 86_400
const QUARTER = 900
/** Since 1972 every zone is a multiple of a quarter of an hour from UTC. */
const QUARTERS_FROM = 63_072_000
const SECONDS = { second: 1, minute: 60, hour: 3600 } as const
/** Longer than what a DateTime64 holds in any unit; keeps the arithmetic small. */
const MAX_COUNT = 10_000_000_000

export function buckets({ count, unit }: Step, context: CompileContext): Buckets {
  const zone = context.params.text(context.timeZone)
  const n = Math.min(count, MAX_COUNT)
  const calendar = makeCalendar(zone)
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour': {
      const length = n * SECONDS[unit]
      if (length % DAY === 0) return days(length / DAY, calendar)
      return length < DAY ? partsOfDays(length, calendar) : longTimes(length, calendar)
    }
    case 'day':
      return days(n, calendar)
    case 'week':
      return byDay(calendar, (day, first) => {
        const monday = (of: string) => `(${of} - positiveModulo(${of} + 3, 7))`
        return counted(monday(day), monday(first), n * 7)
      })
    case 'month':
      return byDay(calendar, (day) => {
        const months = `(toYear(toDate32(${day})) * 12 + toMonth(toDate32(${day})) - 1)`
        return firstOfMonth(`${months} - ${months} % ${n}`)
      })
    case 'year':
      return byDay(calendar, (day) => {
        const year = `toYear(toDate32(${day}))`
        return firstOfMonth(`(${year} - ${year} % ${n}) * 12`)
      })
  }
}

/** Rounds down, also below zero. */
export function floorDivision(value: string, by: number): string {
  return `intDiv(${value} - positiveModulo(${value}, ${by}), ${by})`
}

type Calendar = {
  /** Int32: days since 1970 of the local date. */
  dayOf(seconds: string): string
  /** First second of a local day. */
  dayStart(day: string): string
}

function makeCalendar(zone: string): Calendar {
  return {
    dayOf: (seconds) => `toInt32(toDate32(toDateTime64(${seconds}, 0, ${zone})))`,
    dayStart: (day) =>
      `toUnixTimestamp64Second(toDateTime64(toDate32(toInt32(${day})), 0, ${zone}))`,
  }
}

function partsOfDays(length: number, { dayOf, dayStart }: Calendar): Buckets {
  const starts = (first: string, last: string) => {
    const parts = `intDiv(greatest(${dayStart('day + 1')} - ${dayStart('day')}, 0) + ${length - 1}, ${length})`
    const ofDay = `arrayMap(part -> ${dayStart('day')} + toInt64(part) * ${length}, range(toUInt64(${parts})))`
    return `arrayFlatten(arrayMap(day -> ${ofDay}, range(${dayOf(first)}, ${dayOf(bounded(first, last, length))} + 1)))`
  }
  return {
    isOfQuarters: length % QUARTER === 0,
    slot: (nanos) => slot(nanos, divisor(length, QUARTER)),
    start: (seconds) => {
      const midnight = dayStart(dayOf(seconds))
      return `(${midnight} + intDiv(${seconds} - ${midnight}, ${length}) * ${length})`
    },
    starts,
  }
}

/** More than a day, and not whole days: counted from the first midnight. */
function longTimes(length: number, { dayOf, dayStart }: Calendar): Buckets {
  const origin = (first: string) => dayStart(dayOf(first))
  return {
    isOfQuarters: length % QUARTER === 0,
    slot: (nanos) => slot(nanos, divisor(length, QUARTER)),
    start: (seconds, first) =>
      `(${origin(first)} + ${floorDivision(`(${seconds} - ${origin(first)})`, length)} * ${length})`,
    starts: (first, last) =>
      `arrayMap(part -> ${origin(first)} + toInt64(part) * ${length}, range(toUInt64(greatest(intDiv(${bounded(first, last, length)} - ${origin(first)}, ${length}) + 1, 0))))`,
  }
}

function days(count: number, calendar: Calendar): Buckets {
  return byDay(calendar, (day, first) => (count === 1 ? day : counted(day, first, count)))
}

/** `startDay`: the first day of the interval that holds a day. */
function byDay(
  { dayOf, dayStart }: Calendar,
  startDay: (day: string, firstDay: string) => string,
): Buckets {
  return {
    isOfQuarters: true,
    slot: (nanos) => slot(nanos, QUARTER),
    start: (seconds, first) => dayStart(startDay(dayOf(seconds), dayOf(first))),
    starts: (first, last) => {
      const days = `arrayDistinct(arrayMap(day -> toInt32(${startDay('day', dayOf(first))}), range(${dayOf(first)}, ${dayOf(last)} + 1)))`
      return `arrayMap(day -> ${dayStart('day')}, ${days})`
    },
  }
}

function counted(day: string, first: string, length: number): string {
  return `(${first} + ${floorDivision(`toInt64(${day} - ${first})`, length)} * ${length})`
}

/** `months`: since the year 0. */
function firstOfMonth(months: string): string {
  const since = `greatest(${months}, ${1900 * 12})`
  return `toInt32(makeDate32(intDiv(${since}, 12), ${since} % 12 + 1, 1))`
}

/** No further than where there are too many anyway. */
function bounded(first: string, last: string, length: number): string {
  return `least(${last}, ${first} + ${length * (REFUSALS.buckets.limit + 2)})`
}

function slot(nanos: string, seconds: number): string {
  const second = floorDivision(nanos, 1_000_000_000)
  if (seconds === 1) return second
  const piece = `${floorDivision(nanos, seconds * 1_000_000_000)} * ${seconds}`
  return `if(${nanos} < ${QUARTERS_FROM * 1_000_000_000}, ${second}, ${piece})`
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
