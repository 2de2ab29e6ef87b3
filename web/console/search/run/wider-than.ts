import type { FixedInterval } from '../../../../schemas/time/time-window.ts'
import type { Range } from './view.ts'

const HOUR = 1
const DAY = 24
const WEEK = 7 * DAY

/** How far back each one may reach, in hours. */
const REACH: Readonly<Record<FixedInterval, number>> = {
  last15Minutes: HOUR / 4,
  last30Minutes: HOUR / 2,
  last60Minutes: HOUR,
  last3Hours: 3 * HOUR,
  last12Hours: 12 * HOUR,
  last24Hours: DAY,
  last7Days: WEEK,
  last14Days: 2 * WEEK,
  last1Months: 31 * DAY,
  last6Months: 184 * DAY,
  currentDay: DAY,
  previousDay: 2 * DAY,
  currentWeek: WEEK,
  previousWeek: 2 * WEEK,
  allData: Number.POSITIVE_INFINITY,
}

/** Those that hold all of the range and are another one; all beside times, whose reach only the
 *  server knows. */
export function widerThan(
  range: Range,
  intervals: readonly FixedInterval[],
): readonly FixedInterval[] {
  if (range.kind !== 'interval') return intervals
  const reach = Object.entries(REACH).find(([name]) => name === range.interval)?.[1] ?? 0
  return intervals.filter((name) => name !== range.interval && REACH[name] >= reach)
}
