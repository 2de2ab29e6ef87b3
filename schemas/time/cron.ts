// Expressions of five fields as cron writes them (minute, hour, day of month, month, day of week),
// and the moments that they name in a zone (docs/decisions/0050). Numbers, `*`, `a-b`, `a,b` and
// steps; no names of days, no seconds.
import { localToUtcMs, utcMsToLocal } from './local-time.ts'
import type { TimeZone } from './time-zone.ts'
import { instantOf, localAt, MIDNIGHT } from './wall-clock.ts'

export type Cron = {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 is Sunday. */
  readonly weekDays: ReadonlySet<number>
  /** Begins with `*`. */
  readonly isEveryHour: boolean
  /** Neither day field begins with `*`: one of the two is enough. */
  readonly isEitherDay: boolean
}

/** Lowest and highest of each field. */
const FIELDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** 29 February may be eight years away, and so may its day of the week be forty. */
const MAX_DAYS = 41 * 366

/** Fields stand apart by one space. Undefined: not such an expression. */
export function parseCron(text: string): Cron | undefined {
  const fields = text.split(' ')
  const values = FIELDS.map(([min, max], index) => readField(fields[index] ?? '', min, max))
  const [minutes, hours, days, months, weekDays] = values
  if (fields.length !== FIELDS.length) return undefined
  if (!minutes || !hours || !days || !months || !weekDays) return undefined
  const isStar = (index: number) => fields[index]?.startsWith('*') === true
  return {
    ...{ minutes, hours, days, months },
    weekDays: new Set([...weekDays].map((day) => day % 7)),
    isEveryHour: isStar(1),
    isEitherDay: !isStar(2) && !isStar(4),
  }
}

function readField(field: string, min: number, max: number): Set<number> | undefined {
  const values = new Set<number>()
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (match === null) return undefined
    const [, from, to, step] = match
    const first = from === undefined ? min : Number(from)
    // `5/15` goes on to the end of the field, as `5-59/15` does.
    const isOpen = to === undefined && (from === undefined || step !== undefined)
    const last = isOpen ? max : Number(to ?? from)
    if (first < min || last > max || first > last || Number(step ?? 1) === 0) return undefined
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value)
  }
  return values
}

/** The next moments after `afterMs`, fewer where there are no more. With hours that are named, a
 *  time that the clock skips comes when the clock has gone on, and one that it shows twice comes
 *  once; with `*` the clock is followed as it goes. */
export function nextCronRuns(cron: Cron, zone: TimeZone, afterMs: number, count: number): number[] {
  const runs: number[] = []
  let lastMs = afterMs
  // A day before: a clock that goes back at midnight shows a day twice.
  const firstDayMs = localToUtcMs({ ...localAt(afterMs, zone), ...MIDNIGHT }) - DAY_MS
  for (let day = 0; day < MAX_DAYS && runs.length < count; day++) {
    const dayMs = firstDayMs + day * DAY_MS
    if (!isDayOf(cron, dayMs)) continue
    const moments = cron.isEveryHour ? asTheClockGoes(cron, zone, dayMs) : byName(cron, zone, dayMs)
    for (const moment of moments) {
      if (moment <= lastMs || runs.length === count) continue
      runs.push(moment)
      lastMs = moment
    }
  }
  return runs
}

function isDayOf(cron: Cron, dayMs: number): boolean {
  const { day, month } = utcMsToLocal(dayMs)
  if (!cron.months.has(month)) return false
  const isDay = cron.days.has(day)
  const isWeekDay = cron.weekDays.has(new Date(dayMs).getUTCDay())
  return cron.isEitherDay ? isDay || isWeekDay : isDay && isWeekDay
}

function byName({ hours, minutes }: Cron, zone: TimeZone, dayMs: number): number[] {
  const local = utcMsToLocal(dayMs)
  return [...hours]
    .flatMap((hour) => [...minutes].map((minute) => instantOf({ ...local, hour, minute }, zone)))
    .sort((a, b) => a - b)
}

function* asTheClockGoes(cron: Cron, zone: TimeZone, dayMs: number): Generator<number> {
  const end = instantOf(utcMsToLocal(dayMs + DAY_MS), zone)
  for (let moment = instantOf(utcMsToLocal(dayMs), zone); moment < end; moment += MINUTE_MS) {
    const { hour, minute } = localAt(moment, zone)
    if (cron.hours.has(hour) && cron.minutes.has(minute)) yield moment
  }
}
