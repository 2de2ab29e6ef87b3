// When a monitor is due, as an operator writes it: `never`, `every 5m`, `daily 08:00`,
// `weekly mon,thu 08:00`, `monthly 1 08:00`, or the five fields of cron. Days and hours are those
// of a zone; intervals count from 1970 in UTC, so that a restart moves none. Pure.
import { type Cron, nextCronRuns, parseCron } from '../time/cron.ts'
import type { TimeZone } from '../time/time-zone.ts'
import { type BusinessHours, isBusinessTime } from './business-hours.ts'
import { DAY_NAMES } from './day-names.ts'

type Schedule =
  | { readonly kind: 'never' }
  | { readonly kind: 'interval'; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly cron: Cron }

export type DuePlan = {
  readonly schedule: Schedule
  readonly zone: TimeZone
  /** Undefined: any time. */
  readonly hours: BusinessHours | undefined
}

const MINUTE_MS = 60_000
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 3_600_000, d: 86_400_000 }
/** Of an interval; a longer one is a day of a week or month. */
const MAX_INTERVAL_MS = 7 * 86_400_000
const MAX_CHUNK = 64

/** Undefined: not a schedule. */
export function parseSchedule(text: string): Schedule | undefined {
  if (text === 'never') return { kind: 'never' }
  const interval = /^every (\d{1,5})([mhd])$/.exec(text)
  if (interval !== null) {
    const everyMs = Number(interval[1]) * (UNITS[interval[2] ?? ''] ?? 0)
    return everyMs >= MINUTE_MS && everyMs <= MAX_INTERVAL_MS
      ? { kind: 'interval', everyMs }
      : undefined
  }
  const cron = parseCron(cronOf(text) ?? text)
  return cron === undefined ? undefined : { kind: 'cron', cron }
}

/** Of a day of the week or month with its hour. */
function cronOf(text: string): string | undefined {
  const match = /^(daily|weekly|monthly)(?: (\S+))? (\d{2}):(\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, kind, day, hour, minute] = match
  const at = `${Number(minute)} ${Number(hour)}`
  if (kind === 'daily') return day === undefined ? `${at} * * *` : undefined
  if (day === undefined) return undefined
  // Later days are not in every month.
  if (kind === 'monthly') return /^([1-9]|1\d|2[0-8])$/.test(day) ? `${at} ${day} * *` : undefined
  const days = day.split(',').map((name) => DAY_NAMES.indexOf(name))
  return days.includes(-1) ? undefined : `${at} * * ${days.join(',')}`
}

/** Due times after `afterMs` up to `upToMs`, rising. */
export function* duesBetween(plan: DuePlan, afterMs: number, upToMs: number): Generator<number> {
  for (const due of scheduledBetween(plan, afterMs, upToMs))
    if (plan.hours === undefined || isBusinessTime(plan.hours, due, plan.zone)) yield due
}

function* scheduledBetween(
  { schedule, zone }: DuePlan,
  afterMs: number,
  upToMs: number,
): Generator<number> {
  if (schedule.kind === 'never') return
  if (schedule.kind === 'interval') {
    const { everyMs } = schedule
    const first = (Math.floor(afterMs / everyMs) + 1) * everyMs
    for (let due = first; due <= upToMs; due += everyMs) yield due
    return
  }
  // Most ask for one: a schedule that follows the clock is looked through minute by minute.
  for (let lastMs = afterMs, count = 1; ; count = Math.min(2 * count, MAX_CHUNK)) {
    const runs = nextCronRuns(schedule.cron, zone, lastMs, count)
    for (const due of runs) {
      if (due > upToMs) return
      yield due
      lastMs = due
    }
    if (runs.length === 0) return
  }
}
