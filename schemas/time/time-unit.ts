// Words for units of time, as `interval` and relative times read them (search-language#interval,
// #relative-times). In lower case; only M, months, is told from m, minutes.
export type TimeUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

const UNITS: ReadonlyMap<string, TimeUnit> = new Map<string, TimeUnit>([
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
  ['y', 'year'],
])

export const UNIT_WORDS: readonly string[] = [...UNITS.keys()]

/** For error texts. */
export const UNIT_LIST =
  's (seconds), m (minutes), h (hours), d (days), w (weeks), M (months), y (years)'

/** The unit that a word names, in any letter case but for `M`. */
export function parseTimeUnit(word: string): TimeUnit | undefined {
  return word === 'M' ? 'month' : UNITS.get(word.toLowerCase())
}
