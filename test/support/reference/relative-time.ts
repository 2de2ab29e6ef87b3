// Times that are told from now, by Temporal (search-language#relative-times).
import { Temporal } from 'temporal-polyfill'

const LENGTHS = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const
const CALENDAR = { w: 'weeks', M: 'months', y: 'years' } as const
const UNITS: Readonly<Record<string, 'second' | 'minute' | 'hour'>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
}
/** Dates hold the years 1 to 9999. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.UTC(9999, 11, 31)

/** Of a text without spaces, with units of one letter: `now-1d@d+8h`. Epoch milliseconds. */
export function resolveByTemporal(text: string, nowMs: number, zone: string): number {
  let ms = nowMs
  for (const [, snapped, sign, count = '', unit = ''] of text.matchAll(
    /@([smhdwMy])|([+-])(\d+)([smhdwMy])/g,
  )) {
    const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
    const moved =
      snapped === undefined ? move(at, unit, Number(`${sign}${count}`)) : startOf(at, snapped)
    ms = Math.min(Math.max(moved.epochMilliseconds, FIRST_MS), LAST_MS)
  }
  return ms
}

function move(at: Temporal.ZonedDateTime, unit: string, count: number): Temporal.ZonedDateTime {
  const name = { ...LENGTHS, ...CALENDAR }[unit]
  if (name === undefined) throw new Error(`the reference knows no unit ${unit}`)
  return count === 0 ? at : at.add({ [name]: count })
}

function startOf(at: Temporal.ZonedDateTime, unit: string): Temporal.ZonedDateTime {
  const smallestUnit = UNITS[unit]
  if (smallestUnit !== undefined) return at.round({ smallestUnit, roundingMode: 'floor' })
  if (unit === 'w') return at.subtract({ days: at.dayOfWeek - 1 }).startOfDay()
  const day = unit === 'd' ? at : at.with({ day: 1, ...(unit === 'y' ? { month: 1 } : {}) })
  return day.startOfDay()
}
