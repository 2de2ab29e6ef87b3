// Times told from now (search-language#relative-times): `now - 2h`, `-1d@d`, `in last 2 hours`.
import type { Test } from '../tree.ts'
import type { Reader } from './reader.ts'
import { unitOf } from './units.ts'

const NOW = /\s*now(?![^\s+\-@(),|\]])/iy
const MOVE = /\s*([+-])\s*(\d+)\s*([a-z]+)(?![^\s+\-@(),|\]])/iy
const SNAP = /\s*@\s*([a-z]+)(?![^\s+\-@(),|\]])/iy
const LAST = /in\s+last\s+(\d+)?\s*([a-z]+)?(?![^\s(),|\]])/iy

/** Without its spaces. `isTime`: of a column of times, which may begin with a sign. */
export function takesRelative(reader: Reader, isTime: boolean): string | null {
  const start = reader.at
  const now = reader.match(NOW)
  if (!now && !(isTime && /^\s*(?:-|\+\s*\d|@)/.test(reader.text.slice(start)))) return null
  let text = now ? 'now' : ''
  for (;;) {
    const found = reader.match(MOVE) ?? reader.match(SNAP)
    if (!found) break
    if (unitOf(found.at(-1) ?? '') === null) reader.refuse('a unit of time is expected')
    text += found[0].replace(/\s+/g, '')
  }
  if (/^\s*(?:[+-](?![a-z])|@)/i.test(reader.text.slice(reader.at)) && text !== '')
    reader.refuse('a unit of time is expected')
  // `now-x` is a word like others.
  const isWhole = /^(?:[\s(),|\]]|$)/.test(reader.text.slice(reader.at))
  if (text !== '' && isWhole) return text
  reader.at = start
  return null
}

/** `in last 2 hours` at a place: the test, and the place after it. */
export function lastAt(reader: Reader, at: number): { test: Test; end: number } | null {
  const word = reader.peek(at)
  if (word.kind !== 'word' || word.keyword !== 'in') return null
  LAST.lastIndex = word.start
  const found = LAST.exec(reader.text)
  if (!found) return null
  const [, count, unit = ''] = found
  if (unitOf(unit) === null) {
    if (count !== undefined) reader.refuse('a length is expected, such as in last 2 hours')
    return null
  }
  const text = `-${count ?? 1}${unit}`
  const value = { isQuoted: false, pattern: [{ kind: 'text', text }] } as const
  const column = { kind: 'column', name: 'timestamp', origin: 'builtIn' } as const
  const check = { kind: 'compare', operator: '>=', value } as const
  return { test: { kind: 'test', column, check }, end: LAST.lastIndex }
}
