// `in lats 2 hours`, `ni last week`, `in last weke`, `in 30 minutes`: a length of time with a
// mistake in it is searched as words.
import { nearestWord } from '../nearest-word.ts'
import type { Edit } from './edit.ts'

const UNITS = [
  'minute',
  'minutes',
  'hour',
  'hours',
  'day',
  'days',
  'week',
  'weeks',
  'month',
  'months',
]
const SHORT = ['s', 'm', 'h', 'd', 'w', 'M']

/** Near to in, but words of texts. */
const COMMON = new Set(['on', 'is', 'it', 'an', 'if', 'a', 'i', 'no', 'io', 'min', 'win'])

export type BrokenLast = { readonly write: string; readonly edit: Edit }

/** In `text` from `start`; undefined: it is no length of time, or there is no mistake in it. */
export function brokenLast(text: string, start: number): BrokenLast | undefined {
  const [written, first = '', last = '', count = '', unit = ''] =
    /^(\S{1,3})\s+(?:([a-z]{2,5})\s+)?(?:(\d+)\s*)?([a-z]+)(?![^\s|)])/i.exec(text.slice(start)) ??
    []
  if (written === undefined || COMMON.has(first.toLowerCase())) return undefined
  const words = [near(first, ['in']), last === '' ? 'last' : near(last, ['last'])]
  const length = SHORT.includes(unit) && count !== '' ? unit : near(unit, UNITS)
  if (words.includes(undefined) || length === undefined) return undefined
  const wrong = [first.toLowerCase() !== 'in', last.toLowerCase() !== 'last', unit !== length]
  const isDropped = last === '' && (count === '' || first.toLowerCase() !== 'in')
  if (isDropped || wrong.filter((is) => is).length !== 1) return undefined
  const write = ['in last', count, length].filter((word) => word !== '').join(' ')
  return { write, edit: { start, end: start + written.length, text: write } }
}

function near(word: string, known: readonly string[]): string | undefined {
  const folded = word.toLowerCase()
  return known.includes(folded) ? folded : nearestWord(word, known)
}
