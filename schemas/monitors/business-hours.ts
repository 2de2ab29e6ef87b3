// Hours in which a monitor is due: `mon-fri 08:00-18:00`, in its zone; its end is not in them.
// Pure.
import type { TimeZone } from '../time/time-zone.ts'
import { localAt } from '../time/wall-clock.ts'
import { DAY_NAMES } from './day-names.ts'

export type BusinessHours = {
  readonly days: ReadonlySet<number>
  /** Minutes of the day. */
  readonly from: number
  readonly to: number
}

const DAY_MINUTES = 1440

/** Undefined: not such hours. */
export function parseBusinessHours(text: string): BusinessHours | undefined {
  const match = /^(\S+) (\d{2}):(\d{2})-(\d{2}):(\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, names = '', ...times] = match
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = times.map(Number)
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute]
  const days = readDays(names)
  if (days === undefined || fromMinute > 59 || toMinute > 59) return undefined
  return from < to && to <= DAY_MINUTES ? { days, from, to } : undefined
}

function readDays(text: string): Set<number> | undefined {
  const days = new Set<number>()
  for (const part of text.split(',')) {
    const [first = '', last = first, ...rest] = part.split('-')
    const [from, to] = [first, last].map((name) => DAY_NAMES.indexOf(name))
    if (from === undefined || to === undefined || from < 0 || to < 0 || rest.length > 0)
      return undefined
    // `fri-mon` goes over the end of the week.
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day)
      if (day === to) break
    }
  }
  return days
}

export function isBusinessTime(hours: BusinessHours, ms: number, zone: TimeZone): boolean {
  const local = localAt(ms, zone)
  const minute = local.hour * 60 + local.minute
  const weekDay = new Date(Date.UTC(local.year, local.month - 1, local.day)).getUTCDay()
  return hours.days.has(weekDay) && minute >= hours.from && minute < hours.to
}
