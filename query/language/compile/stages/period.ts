// Periods of datastream without `interval` (search-language 3.4), cut at the calendar of the system time zone.
import type { SearchInput } from '../../search-input.ts'
import type { CompileContext } from '../compile-context.ts'

type Period = 'minute' | 'hour' | 'day' | 'week'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const STEP_MS: Readonly<Record<Period, number>> = {
  minute: MINUTE_MS,
  // Zones may shift by less than an hour, days may be short.
  hour: 15 * MINUTE_MS,
  day: HOUR_MS,
  week: DAY_MS,
}

/** An open window counts as long. */
export function periodOf({ startMs, endMs }: SearchInput['window']): Period {
  if (startMs === null || endMs === null) return 'week'
  const lengthMs = endMs - startMs
  if (lengthMs <= 3 * HOUR_MS) return 'minute'
  if (lengthMs <= 24 * HOUR_MS) return 'hour'
  return lengthMs <= 31 * DAY_MS ? 'day' : 'week'
}

/** Start of the period of a moment, Int64 epoch milliseconds. */
export function periodStart(moment: string, context: CompileContext): string {
  const zone = context.params.text(context.timeZone)
  const local = `toTimeZone(${moment}, ${zone})`
  switch (periodOf(context.window)) {
    case 'minute':
      return seconds(`toStartOfMinute(${local})`)
    case 'hour':
      return seconds(`toStartOfHour(${local})`)
    case 'day':
      return seconds(`toStartOfDay(${local})`)
    case 'week':
      return seconds(`toDateTime(toMonday(${local}), ${zone})`)
  }
}

/** With a row of zeros for each period of the window: those without events are printed, too. An open window: from first to last. */
export function fillPeriods(rows: string, context: CompileContext): string {
  const { params, window } = context
  const step = params.add(String(STEP_MS[periodOf(window)]), 'Int64')
  const isOpen = window.startMs === null || window.endMs === null
  const ends = isOpen
    ? { low: 'min(bucket)', high: 'max(bucket)', isEmpty: 'count() = 0' }
    : {
        low: params.add(String(window.startMs), 'Int64'),
        high: params.add(String((window.endMs ?? 0) - 1), 'Int64'),
        isEmpty: '0',
      }
  const moment = `fromUnixTimestamp64Milli(least(low + toInt64(place) * ${step}, high), 'UTC')`
  const zeros = `arrayMap(place -> (${periodStart(moment, context)}, toUInt64(0), toUInt64(0)), range(if(${ends.isEmpty}, 0, toUInt64(greatest(intDiv(high - low, ${step}) + 2, 0)))))`
  const found = `SELECT toInt64(${ends.low}) AS low, toInt64(${ends.high}) AS high, groupArray((bucket, events, bytes)) AS found, ${zeros} AS zeros FROM (${rows})`
  return `SELECT row.1 AS bucket, row.2 AS events, row.3 AS bytes FROM (SELECT arrayJoin(arrayConcat(found, zeros)) AS row FROM (${found}))`
}

function seconds(moment: string): string {
  return `toInt64(toUnixTimestamp(${moment})) * 1000`
}
