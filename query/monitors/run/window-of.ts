// The time that a run of a monitor reads.
import { type MonitorSettings, NEW_EVENTS } from '../../../schemas/monitors/monitor.ts'
import type { TimeWindow } from '../../../schemas/time/time-window.ts'

const ALL_TIME: TimeWindow = { startMs: null, endMs: null }

export function windowOf({ window }: Pick<MonitorSettings, 'window'>, dueMs: number): TimeWindow {
  return window === NEW_EVENTS ? ALL_TIME : { startMs: dueMs - window, endMs: dueMs }
}
