// Time frames in words, and as the parameters of a search. Pure.
import type { TimeFrame } from '../../schemas/dashboards/time-frame.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'

/** `last 24 hours`, `-2h to now`. */
export function printCallTimeFrame(frame: TimeFrame): string {
  if (!('interval' in frame)) return `${frame.start} to ${frame.end ?? 'now'}`
  return frame.interval
    .replaceAll(/(\d+)/g, ' $1 ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim()
}

/** Explicit times: what was searched, not what would be now. */
export function windowQuery({ startMs, endMs }: TimeWindow): Record<string, string> {
  if (startMs === null || endMs === null) return { fixedInterval: 'allData' }
  const print = (ms: number) => new Date(ms).toISOString()
  return { startTimeFullStr: print(startMs), endTimeFullStr: print(endMs) }
}
