// Arithmetic on the wall clock of a zone: days and months that keep the time of day.
import { type LocalTime, localToUtcMs, utcMsToLocal } from './local-time.ts'
import type { TimeZone } from './time-zone.ts'

export const MIDNIGHT = { hour: 0, minute: 0, second: 0, millisecond: 0 }

export function localAt(instantMs: number, zone: TimeZone): LocalTime {
  return utcMsToLocal(instantMs + zone.offsetMsAt(instantMs))
}

/** A reading that does not exist gives the later instant, one that exists twice the earlier. */
export function instantOf(local: LocalTime, zone: TimeZone): number {
  return zone.instantOfLocal(localToUtcMs(local))
}

/** Same day of the month and time of day; the month's last day where it has no such day. */
export function addMonths(local: LocalTime, months: number): LocalTime {
  const lastDay = utcMsToLocal(
    localToUtcMs({ ...local, ...MIDNIGHT, month: local.month + months + 1, day: 0 }),
  )
  const day = Math.min(local.day, lastDay.day)
  return { ...local, year: lastDay.year, month: lastDay.month, day }
}

/** 0 on Mondays, 6 on Sundays. */
export function daysSinceMonday(local: LocalTime): number {
  return (new Date(localToUtcMs(local)).getUTCDay() + 6) % 7
}
