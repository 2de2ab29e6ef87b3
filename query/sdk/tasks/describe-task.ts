// What the caller reads of a task that was made or changed.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { readAllSettings } from '../../../infra/metastore/settings/setting-changes.ts'
import type { Task } from '../../../infra/metastore/tasks/tasks.ts'
import { TASK_KINDS } from '../../../schemas/task.ts'
import { nextCronRuns, parseCron } from '../../../schemas/time/cron.ts'
import { type TimeZone, timeZone } from '../../../schemas/time/time-zone.ts'

const RUNS_SHOWN = 5

export async function describeTask(
  transaction: DatabaseTransaction,
  { name, kind, isEnabled, settings }: Task,
  nowMs: number,
) {
  const zone = timeZone((await readAllSettings(transaction))['system.timeZone'] ?? 'UTC')
  const cron = parseCron(settings.cron)
  const runs = cron === undefined || !isEnabled ? [] : nextCronRuns(cron, zone, nowMs, RUNS_SHOWN)
  return {
    name,
    kind: TASK_KINDS[kind],
    enabled: isEnabled,
    nextRuns: runs.map((moment) => printMoment(moment, zone)),
    notes: [],
  }
}

/** `2026-03-01T01:00+01:00`. */
function printMoment(moment: number, zone: TimeZone): string {
  const offset = zone.offsetMsAt(moment)
  const shown = (ms: number, from: number) => new Date(ms).toISOString().slice(from, 16)
  const sign = offset < 0 ? '-' : '+'
  return `${shown(moment + offset, 0)}${sign}${shown(Math.abs(offset), 11)}`
}
