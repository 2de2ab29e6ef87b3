// Moments in answers: ISO 8601 in UTC.

import { trimEnd } from '../../schemas/names/trim-end.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'

export function printMs(ms: number): string {
  return new Date(ms).toISOString()
}

export function printWindow({ startMs, endMs }: TimeWindow) {
  return {
    start: startMs === null ? null : printMs(startMs),
    end: endMs === null ? null : printMs(endMs),
  }
}

/** With digits below the millisecond when they are not zero. */
export function printNanos(nanos: string): string {
  const value = BigInt(nanos)
  const million = 1_000_000n
  const below = ((value % million) + million) % million
  const text = printMs(Number((value - below) / million))
  if (below === 0n) return text
  const digits = trimEnd(below.toString().padStart(6, '0'), '0')
  return `${text.slice(0, -1)}${digits}Z`
}
