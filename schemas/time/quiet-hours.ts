// Hours of a day in which work that can wait is done: `1-5`, also over midnight, `0-24`, `never`.
import type { TimeZone } from './time-zone.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
const SPAN = /^(\d|1\d|2[0-4])-(\d|1\d|2[0-4])$/

/** Undefined: never. `from` 0 to 23, `to` 1 to 24, of which the hour does not count. */
export type QuietHours = { readonly from: number; readonly to: number } | undefined

export const QUIET_HOURS_HINT = 'must be two hours of a day such as 1-5 or 22-4, 0-24, or never'

/** `wrong`: no such hours. */
export function parseQuietHours(text: string): QuietHours | 'wrong' {
  if (text === 'never') return undefined
  const [, from, to] = SPAN.exec(text) ?? []
  if (from === undefined || to === undefined) return 'wrong'
  const hours = { from: Number(from) % HOURS, to: Number(to) === 0 ? HOURS : Number(to) }
  const isAllDay = from === '0' && to === '24'
  return hours.from === hours.to % HOURS && !isAllDay ? 'wrong' : hours
}

export function isInHours(hours: QuietHours, nowMs: number, zone: TimeZone): boolean {
  if (hours === undefined) return false
  const { from, to } = hours
  const hour = Math.floor((nowMs + zone.offsetMsAt(nowMs)) / HOUR_MS) % HOURS
  return from < to ? hour >= from && hour < to : hour >= from || hour < to
}
