// Buckets of a histogram, cut at the calendar of the system time zone as `interval` cuts
// (search-language#interval): parts of a day count from local midnight, weeks from Monday, several
// days or weeks from the first day of the window, months and years from January. Pure.

import { localToUtcMs, utcMsToLocal } from '../../../schemas/time/local-time.ts'
import { parseTimeUnit, type TimeUnit } from '../../../schemas/time/time-unit.ts'
import type { TimeZone } from '../../../schemas/time/time-zone.ts'
import type { Slots } from '../../language/reads/compile-counts.ts'

export type Step = { readonly count: number; readonly unit: TimeUnit }
/** Half open, epoch milliseconds. */
export type Range = { readonly startMs: number; readonly endMs: number }

export const MAX_BUCKETS = 2000
const DAY_MS = 86_400_000
const UNIT_MS: Readonly<Record<TimeUnit, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  year: 365 * DAY_MS,
}
/** Longer ones would end where dates do. */
const MAX_STEP_MS = 100 * 365 * DAY_MS
const LADDER: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ count, unit: 'second' }) as const),
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ count, unit: 'minute' }) as const),
  ...[1, 2, 3, 6, 12].map((count) => ({ count, unit: 'hour' }) as const),
  ...[1, 2].map((count) => ({ count, unit: 'day' }) as const),
  { count: 1, unit: 'week' },
  ...[1, 3].map((count) => ({ count, unit: 'month' }) as const),
  { count: 1, unit: 'year' },
]

/** `15 minutes`, `hour`; undefined when it is no length. */
export function parseStep(text: string): Step | undefined {
  const match = /^\s*(?:(\d{1,9})\s*)?([a-z]+)\s*$/i.exec(text)
  const word = match?.[2] ?? ''
  const unit = parseTimeUnit(word)
  const count = Number(match?.[1] ?? 1)
  if (unit === undefined || count < 1 || count * UNIT_MS[unit] > MAX_STEP_MS) return undefined
  return { count, unit }
}

export function printStep({ count, unit }: Step): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The shortest round step that gives no more than about so many buckets. */
export function automaticStep({ startMs, endMs }: Range, buckets: number): Step {
  const leastMs = (endMs - startMs) / buckets
  const found = LADDER.find(({ count, unit }) => count * UNIT_MS[unit] >= leastMs)
  return found ?? { count: Math.ceil(leastMs / UNIT_MS.year), unit: 'year' }
}

/** Starts of the buckets from the one that holds the start to the first one behind the end;
 *  undefined when they are too many. */
export function bucketEdges(
  step: Step,
  { startMs, endMs }: Range,
  zone: TimeZone,
): number[] | undefined {
  if ((endMs - startMs) / (step.count * UNIT_MS[step.unit]) > MAX_BUCKETS + 1) return undefined
  const edges: number[] = []
  for (const edge of edgesFrom(step, startMs, zone)) {
    // A local time that does not exist could give one twice.
    const last = edges.at(-1)
    if (last !== undefined && edge <= last) continue
    if (last !== undefined && edge <= startMs) edges.length = 0
    edges.push(edge)
    if (edge >= endMs && edges.length > 1) return edges
    if (edges.length > MAX_BUCKETS + 1) return undefined
  }
  return edges
}

/** Equal pieces that never lie in two buckets. */
export function slotsOf(edges: readonly number[]): Slots {
  const [originMs = 0] = edges
  const lengthMs = edges.reduce((length, edge) => greatestDivisor(length, edge - originMs), 0)
  return { originMs, lengthMs: Math.max(1, lengthMs) }
}

/** Place of the bucket that holds a moment. */
export function bucketAt(edges: readonly number[], ms: number): number {
  let low = 0
  let high = edges.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((edges[middle] ?? Number.POSITIVE_INFINITY) <= ms) low = middle
    else high = middle - 1
  }
  return low
}

/** From one at or before `startMs`, without end. */
function* edgesFrom({ count, unit }: Step, startMs: number, zone: TimeZone): Generator<number> {
  const dayOf = (ms: number) => Math.floor((ms + zone.offsetMsAt(ms)) / DAY_MS)
  const dayStart = (day: number) => zone.instantOfLocal(day * DAY_MS)
  const firstDay = dayOf(startMs)
  const lengthMs = count * UNIT_MS[unit]
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      if (lengthMs % DAY_MS === 0) {
        for (let k = 0; ; k += 1) yield dayStart(firstDay + (k * lengthMs) / DAY_MS)
      } else if (lengthMs > DAY_MS) {
        for (let k = 0; ; k += 1) yield dayStart(firstDay) + k * lengthMs
      }
      for (let day = firstDay; ; day += 1) {
        const startOfDay = dayStart(day)
        const next = dayStart(day + 1)
        const from = day === firstDay ? Math.floor((startMs - startOfDay) / lengthMs) * lengthMs : 0
        for (let at = startOfDay + from; at < next; at += lengthMs) yield at
      }
    case 'day':
      for (let k = 0; ; k += 1) yield dayStart(firstDay + k * count)
    case 'week': {
      const monday = firstDay - ((((firstDay + 3) % 7) + 7) % 7)
      for (let k = 0; ; k += 1) yield dayStart(monday + k * 7 * count)
    }
    case 'month':
    case 'year': {
      const { year, month } = utcMsToLocal(firstDay * DAY_MS)
      const months = unit === 'year' ? count * 12 : count
      const since = year * 12 + month - 1
      const first = unit === 'year' ? (year - (year % count)) * 12 : since - (since % months)
      for (let k = 0; ; k += 1) yield monthStart(first + k * months, zone)
    }
  }
}

/** `months`: since the year 0. */
function monthStart(months: number, zone: TimeZone): number {
  const clock = { day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 }
  return zone.instantOfLocal(localToUtcMs({ year: 0, month: months + 1, ...clock }))
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
