import type { Settings } from '../../infra/metastore/settings/port.ts'
import { parseBusinessHours } from '../../schemas/monitors/business-hours.ts'
import type { MonitorSettings } from '../../schemas/monitors/monitor.ts'
import { type DuePlan, duesBetween, parseSchedule } from '../../schemas/monitors/schedule.ts'
import { timeZone } from '../../schemas/time/time-zone.ts'

/** When a monitor is due; one that cannot be read (of another version) never is. */
export function readDuePlan(
  settings: Pick<MonitorSettings, 'schedule' | 'timeZone' | 'businessHours'>,
  metastore: Settings,
): DuePlan {
  return {
    schedule: parseSchedule(settings.schedule) ?? { kind: 'never' },
    zone: timeZone(settings.timeZone || metastore.setting('system.timeZone')),
    hours: parseBusinessHours(settings.businessHours),
  }
}

const NEXT_RUNS = 5
const YEAR_MS = 366 * 86_400_000

/** The next five within a year. */
export function printNextRuns(plan: DuePlan, nowMs: number): string[] {
  const next: string[] = []
  for (const due of duesBetween(plan, nowMs, nowMs + YEAR_MS)) {
    next.push(new Date(due).toISOString())
    if (next.length === NEXT_RUNS) break
  }
  return next
}
