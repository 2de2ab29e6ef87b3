// Words for the units of `interval` (search-language#interval).
import type { IntervalUnit } from '../tree.ts'
import type { Input } from './input.ts'

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

/** `5m`, `1h`: number and unit in one word. */
export function joinedInterval(
  input: Input,
  from: number,
): { readonly count: number; readonly unit: IntervalUnit } | undefined {
  const token = input.token(from)
  if (token.kind !== 'word') return undefined
  const [, digits = '', word = ''] = /^([1-9]\d{0,8})([a-z]+)$/.exec(token.keyword) ?? []
  const unit = UNITS.get(word)
  return unit && { count: Number(digits), unit }
}

/** By a word in lower case. */
export function intervalUnit(word: string): IntervalUnit | undefined {
  return UNITS.get(word)
}
