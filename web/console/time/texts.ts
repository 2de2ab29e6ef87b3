// The texts of the one time picker.
import type { FixedInterval } from '../../../schemas/time/time-window.ts'

const INTERVALS: Readonly<Record<FixedInterval, string>> = {
  last15Minutes: 'Last 15 minutes',
  last30Minutes: 'Last 30 minutes',
  last60Minutes: 'Last hour',
  last3Hours: 'Last 3 hours',
  last12Hours: 'Last 12 hours',
  last24Hours: 'Last 24 hours',
  last7Days: 'Last 7 days',
  last14Days: 'Last 14 days',
  last1Months: 'Last month',
  last6Months: 'Last 6 months',
  currentDay: 'Today',
  previousDay: 'Yesterday',
  currentWeek: 'This week',
  previousWeek: 'Last week',
  allData: 'All data',
}

export const TIME_TEXTS = {
  label: 'Time',
  intervals: INTERVALS,
  from: 'From',
  to: 'To',
  now: 'now',
  help: '-2h, -1d@d, 2026-03-01 12:00, or the system date format. To: empty is now.',
  noStart: 'An end needs a start.',
  apply: 'Apply',
  zone: 'Time zone',
  systemZone: (zone: string | undefined) =>
    zone === undefined ? "The system's" : `The system's: ${zone}`,
  unclear: 'Unclear time',
}
