// The earlier time with which a search is compared. Pure.
import type { HistogramAnswer } from '../../../../schemas/search-json/answers.ts'
import type { ComparedWith } from './view.ts'

type Window = Pick<HistogramAnswer['histogram'], 'start' | 'end' | 'timeZone'>

const WEEK_MS = 7 * 86_400_000

/** Undefined of an open one, before which there is nothing. */
export function windowBefore(
  { start, end, timeZone }: Window,
  comparedWith: ComparedWith | undefined,
): { readonly start: string; readonly end: string } | undefined {
  if (start === null || end === null) return undefined
  if (comparedWith === 'week')
    return { start: aWeekBefore(start, timeZone), end: aWeekBefore(end, timeZone) }
  return { start: new Date(2 * Date.parse(start) - Date.parse(end)).toISOString(), end: start }
}

/** The same time of the clock of the zone, also where an hour was skipped or repeated meanwhile. */
function aWeekBefore(iso: string, zone: string): string {
  const ms = Date.parse(iso)
  const earlierMs = ms - WEEK_MS
  return new Date(earlierMs + offsetMs(ms, zone) - offsetMs(earlierMs, zone)).toISOString()
}

/** What the clock of the zone is ahead of UTC. */
function offsetMs(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(new Date(ms))
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  const local = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    ...[of('hour'), of('minute'), of('second')],
  )
  return local - Math.floor(ms / 1000) * 1000
}
