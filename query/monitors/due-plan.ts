import type { Settings } from '../../infra/metastore/settings/port.ts'
import { parseBusinessHours } from '../../schemas/monitors/business-hours.ts'
import type { MonitorSettings } from '../../schemas/monitors/monitor.ts'
import { type DuePlan, parseSchedule } from '../../schemas/monitors/schedule.ts'
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
