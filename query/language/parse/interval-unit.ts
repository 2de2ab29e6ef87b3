// Words for the units of `interval` (search-language#interval).
import type { IntervalUnit } from '../tree.ts'

const UNITS: ReadonlyMap<string, IntervalUnit> = new Map<string, IntervalUnit>([
  ['second', 'second'],
  ['seconds', 'second'],
  ['sec', 'second'],
  ['s', 'second'],
  ['minute', 'minute'],
  ['minutes', 'minute'],
  ['min', 'minute'],
  ['m', 'minute'],
  ['hour', 'hour'],
  ['hours', 'hour'],
  ['h', 'hour'],
  ['day', 'day'],
  ['days', 'day'],
  ['d', 'day'],
  ['week', 'week'],
  ['weeks', 'week'],
  ['w', 'week'],
  ['month', 'month'],
  ['months', 'month'],
  ['year', 'year'],
  ['years', 'year'],
])

export const INTERVAL_WORDS: readonly string[] = [...UNITS.keys()]

/** By a word in lower case. */
export function intervalUnit(word: string): IntervalUnit | undefined {
  return UNITS.get(word)
}
