// `in last 2 hours` (search-language#relative-times): a test of the time of the event, written
// after what it is about, as a scope is.
import { parseTimeUnit, UNIT_LIST } from '../../../schemas/time/time-unit.ts'
import type { Test } from '../tree.ts'
import type { Input } from './input.ts'

/** `in last` with a number or a unit after it; otherwise they are words. */
export function isLastAhead(input: Input, from = input.position): boolean {
  const at = input.keywordsEnd(from, ['in', 'last'])
  if (at === undefined) return false
  const token = input.token(at)
  if (token.kind !== 'word') return false
  const word = input.text.slice(token.start, token.end)
  return /^\d/.test(word) || parseTimeUnit(word) !== undefined
}

/** Stands at `in`. */
export function parseLast(input: Input): Test {
  const { start } = input.token()
  input.takeKeyword('in', 'last')
  const first = input.token()
  const word = input.text.slice(first.start, first.end)
  const [, digits = '1', letters = ''] = /^(\d{1,6})?([a-z]*)$/i.exec(word) ?? []
  input.take(first)
  let name = letters
  if (name === '' && first.kind === 'word') {
    const second = input.token()
    name = second.kind === 'word' ? input.text.slice(second.start, second.end) : ''
    if (parseTimeUnit(name) !== undefined) input.take(second)
  }
  if (parseTimeUnit(name) === undefined || Number(digits) === 0)
    input.raise(
      `a length is expected, such as in last 2 hours; units are ${UNIT_LIST}; quote "last" to search the words`,
      first.start,
    )
  const place = { start, end: input.position }
  const text = `-${digits}${name}`
  return {
    kind: 'test',
    ...place,
    column: { kind: 'column', ...place, name: 'timestamp', origin: 'builtIn' },
    check: {
      kind: 'compare',
      operator: '>=',
      value: { kind: 'value', ...place, isQuoted: false, pattern: [{ kind: 'text', text }] },
    },
  }
}
