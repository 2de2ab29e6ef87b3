// The time window of a call: a fixed interval, or start and end, half open (decision 4.3). Pure.

import { Failure } from '../../schemas/failures.ts'
import { describeFault, readCallTime, type TimeRules } from '../../schemas/time/call-time.ts'
import {
  DEFAULT_INTERVAL,
  type FixedInterval,
  type TimeWindow,
  windowOfInterval,
} from '../../schemas/time/time-window.ts'
import { findTimeZone, UNKNOWN_ZONE } from '../../schemas/time/time-zone.ts'

export type WindowParameters = {
  readonly interval?: FixedInterval | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
}

/** Throws search.parameter. */
export function readWindow(
  { interval, start, end }: WindowParameters,
  rules: TimeRules,
): TimeWindow {
  if (start === undefined && end === undefined)
    return windowOfInterval(interval ?? DEFAULT_INTERVAL, rules.nowMs, rules.zone)
  if (interval !== undefined) return refuse('interval', 'not together with start or end')
  if (start === undefined) return refuse('start', 'missing beside end')
  const from = readTime('start', start, rules)
  if (end === undefined && !from.isRelative) return refuse('end', 'missing beside start')
  const startMs = from.ms
  // What starts at a time told from now ends now, unless an end is given.
  const endMs = end === undefined ? rules.nowMs : readTime('end', end, rules).ms
  if (endMs < startMs)
    return end === undefined
      ? refuse('start', 'after now, and without end')
      : refuse('end', 'before start')
  return { startMs, endMs }
}

function readTime(name: 'start' | 'end', text: string, rules: TimeRules) {
  const time = readCallTime(text, rules)
  return time.kind === 'time' ? time : refuse(name, describeFault(time, rules))
}

/** Of the zone of this call alone, if it has one. Throws search.parameter. */
export function readZoneName({ timeZone }: { readonly timeZone?: string | undefined }) {
  if (timeZone === undefined) return undefined
  const zone = findTimeZone(timeZone)
  return zone === undefined ? refuse('timeZone', UNKNOWN_ZONE) : zone.name
}

function refuse(parameter: string, reason: string): never {
  throw new Failure('search.parameter', { parameter, reason })
}
