// When a schedule is due next, in words.
import { parseBusinessHours } from '../../../../schemas/monitors/business-hours.ts'
import { duesBetween, parseSchedule } from '../../../../schemas/monitors/schedule.ts'
import { findTimeZone } from '../../../../schemas/time/time-zone.ts'
import { nowMs } from '../../../shared/clock.ts'
import { timePrinter } from '../../../shared/format.ts'

const SHOWN = 3
const TWO_MONTHS_MS = 62 * 86_400_000

/** Undefined: not to be told, since it never runs, or by a zone that the page does not know. */
export function nextTimes(
  text: string,
  zone: string,
  businessHours: string,
): readonly string[] | undefined {
  const schedule = parseSchedule(text.trim().toLowerCase())
  if (schedule === undefined || schedule.kind === 'never') return undefined
  // Without one it is that of the system.
  if (zone === '' && (schedule.kind === 'cron' || businessHours.trim() !== '')) return undefined
  const found = findTimeZone(zone === '' ? 'UTC' : zone)
  if (found === undefined) return undefined
  const hours = parseBusinessHours(businessHours.trim().toLowerCase())
  const from = nowMs()
  const print = timePrinter(zone === '' ? undefined : zone).minute
  const next: string[] = []
  for (const due of duesBetween({ schedule, zone: found, hours }, from, from + TWO_MONTHS_MS)) {
    next.push(print(new Date(due).toISOString()))
    if (next.length === SHOWN) break
  }
  return next
}
