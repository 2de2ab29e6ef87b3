// Units of time, in words and letters (search-language#interval, #relative-times).
import type { TimeUnit } from '../../../../schemas/time/time-unit.ts'

const NAMES: Readonly<Record<TimeUnit, readonly string[]>> = {
  second: ['s', 'sec', 'second', 'seconds'],
  minute: ['min', 'minute', 'minutes'],
  hour: ['h', 'hour', 'hours'],
  day: ['d', 'day', 'days'],
  week: ['w', 'week', 'weeks'],
  month: ['month', 'months'],
  year: ['y', 'year', 'years'],
}

export function unitOf(word: string): TimeUnit | null {
  if (word === 'm') return 'minute'
  if (word === 'M') return 'month'
  const folded = word.toLowerCase()
  for (const [unit, names] of Object.entries(NAMES)) {
    if (names.includes(folded)) return unit as TimeUnit
  }
  return null
}
