// A time of a call or a query: a date, or a time told from now. The same text means the same
// instant in both (search-language#relative-times).
import type { DateFormat } from './date-format.ts'
import { parseRelativeTime, resolveRelativeTime } from './relative-time.ts'
import { UNIT_LIST } from './time-unit.ts'
import { parseExplicitTime } from './time-window.ts'
import type { TimeZone } from './time-zone.ts'

export type TimeRules = {
  /** One instant a call. */
  readonly nowMs: number
  readonly zone: TimeZone
  readonly dateFormat: DateFormat
}

export type CallTime =
  | { readonly kind: 'time'; readonly ms: number; readonly isRelative: boolean }
  /** Meant as a time told from now, but wrong. */
  | { readonly kind: 'fault'; readonly reason: string }
  | { readonly kind: 'other' }

export function readCallTime(text: string, { nowMs, zone, dateFormat }: TimeRules): CallTime {
  const explicit = parseExplicitTime(text, dateFormat, zone)
  if (explicit !== undefined) return { kind: 'time', ms: explicit.startMs, isRelative: false }
  const read = parseRelativeTime(text)
  if (read.kind !== 'relative') return read
  return { kind: 'time', ms: resolveRelativeTime(read.time, nowMs, zone), isRelative: true }
}

/** Why a parameter is refused. */
export function describeFault(
  time: Exclude<CallTime, { kind: 'time' }>,
  { dateFormat }: Pick<TimeRules, 'dateFormat'>,
): string {
  if (time.kind === 'fault') return time.reason
  return `must be a time as ${dateFormat.pattern} or ISO 8601, or told from now, such as -2h, now-5m or -1d@d; units are ${UNIT_LIST}`
}
