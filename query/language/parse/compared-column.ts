// A column in the place of a value: `bytes > column.bytes_in` (search-language#two-columns).
import { builtInColumn } from '../built-in-columns.ts'
import type { ColumnNames } from '../column-names.ts'
import type { ColumnRef } from '../tree.ts'
import { type Input, patternText } from './input.ts'

const MAX_WORDS = 64
const OUTRIGHT = /^(column|event)\.(.*)$/s

/** The column that stands here with its prefix: the longest known name, else one word. */
export function comparedColumn(input: Input, names: ColumnNames): ColumnRef | undefined {
  const first = input.token()
  if (first.kind !== 'word') return undefined
  const [, prefix, rest = ''] = OUTRIGHT.exec(patternText(first.pattern).toLowerCase()) ?? []
  if (prefix === undefined || !first.keyword.startsWith(prefix)) return undefined
  const origin = prefix === 'column' ? 'parsed' : 'builtIn'
  const { start } = first
  if (rest === '') {
    const quoted = input.token(first.end)
    if (quoted.kind !== 'quoted' || quoted.start !== first.end || quoted.text === '')
      return undefined
    input.take(quoted)
    return { kind: 'column', start, end: quoted.end, name: quoted.text, origin }
  }
  let name = patternText(first.pattern).slice(prefix.length + 1)
  if (origin === 'builtIn' && builtInColumn(name) === undefined) return undefined
  let { end } = first
  let longer = name
  let token = input.token(first.end)
  for (let count = 1; token.kind === 'word' && count < MAX_WORDS; count += 1) {
    longer += ` ${patternText(token.pattern)}`
    if (names.has(longer)) [name, end] = [longer, token.end]
    token = input.token(token.end)
  }
  input.position = end
  return { kind: 'column', start, end, name, origin }
}
