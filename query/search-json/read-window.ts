// The time window of a call: a fixed interval, or start and end, half open (decision 4.3). Pure.

import { Failure } from '../../schemas/failures.ts'
import type { DateFormat } from '../../schemas/time/date-format.ts'
import {
  DEFAULT_INTERVAL,
  type FixedInterval,
  parseExplicitTime,
  type TimeWindow,
  windowOfInterval,
} from '../../schemas/time/time-window.ts'
import type { TimeZone } from '../../schemas/time/time-zone.ts'

export type WindowParameters = {
  readonly interval?: FixedInterval | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
}

export type WindowRules = {
  readonly nowMs: number
  readonly zone: TimeZone
  readonly dateFormat: DateFormat
}

/** Throws search.parameter. */
export function readWindow(
  { interval, start, end }: WindowParameters,
  rules: WindowRules,
): TimeWindow {
  if (start === undefined && end === undefined)
    return windowOfInterval(interval ?? DEFAULT_INTERVAL, rules.nowMs, rules.zone)
  if (interval !== undefined) return refuse('interval', 'not together with start or end')
  if (start === undefined) return refuse('start', 'missing beside end')
  if (end === undefined) return refuse('end', 'missing beside start')
  const startMs = readTime('start', start, rules)
  const endMs = readTime('end', end, rules)
  return endMs < startMs ? refuse('end', 'before start') : { startMs, endMs }
}

function readTime(name: 'start' | 'end', text: string, rules: WindowRules): number {
  const time = parseExplicitTime(text, rules.dateFormat, rules.zone)
  return time === undefined
    ? refuse(name, `must be a time in ISO 8601 or as ${rules.dateFormat.pattern}`)
    : time.startMs
}

function refuse(parameter: string, reason: string): never {
  throw new Failure('search.parameter', { parameter, reason })
}
