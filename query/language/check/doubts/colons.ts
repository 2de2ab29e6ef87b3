// `column:value` of other languages where the column is no word that a log has, and `column!~`.
import type { ColumnNames } from '../../column-names.ts'
import { printColumn } from '../../print/print-words.ts'
import type { Filter, Span } from '../../tree.ts'
import type { Doubt } from '../neighbours.ts'
import { columnBefore, insideNot, spanAt, wordAt } from '../neighbours.ts'

const CODE = 'query.other_language'

/** `kubernetes.pod:cart*`, `statuss:5*`, `*:error`: a word with a wildcard, which no event need
 *  have. */
export function unknownColon(word: string, { start, end }: Span): Doubt | undefined {
  const [, sign = '', name = '', value = ''] =
    /^([-!]?)([\p{L}_@][\p{L}\p{N}_.-]*|\*):([^:/][^:]*|\/.+\/)$/u.exec(word) ?? []
  if (value === '' || !/[*?]/.test(`${name}${value}`)) return undefined
  if (name === '*')
    return {
      code: CODE,
      message: `'${word}' is searched as a word: ${value} alone is searched in all columns`,
      edit: { start, end, text: value },
    }
  const message = `'${word}' is searched as a word, and no log in scope has a column '${name}': a test is written column = value`
  return {
    code: CODE,
    message,
    edit: { start, end, text: `${sign === '' ? '' : 'not '}${name} = ${value}` },
  }
}

/** `User Agent:*bot*`: the word at `at` ends a name of several words. */
export function colonAfterWords(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
): Doubt | undefined {
  const word = wordAt(operands, at)
  const [, last = '', value = ''] = /^([^\s:]+):(.+)$/.exec(word ?? '') ?? []
  const operand = insideNot(operands[at])
  if (last === '' || operand?.kind !== 'word' || operands[at]?.kind === 'not') return undefined
  const ended: Filter = { ...operand, pattern: [{ kind: 'text', text: last }] }
  const found = columnBefore([...operands.slice(0, at), ended], at + 1, names)
  if (found === undefined || found.from === at) return undefined
  const name = names.spelled(found.name) ?? found.name
  const write = `${printColumn({ kind: 'column', name, origin: 'any', start: 0, end: 0 })} = ${value}`
  return {
    code: CODE,
    message: `'${word}' is searched as a word: it is written ${write}`,
    edit: { start: spanAt(operands, found.from).start, end: operand.end, text: write },
  }
}

/** `level!~"info|debug"`, without spaces, and `{pod!~"cart.*"}`. */
export function joinedRegexp(word: string, next: string, { start, end }: Span): Doubt | undefined {
  const [, name = ''] = /^\{?([\p{L}_][\p{L}\p{N}_.-]*)!~$/u.exec(word) ?? []
  if (name === '' || next !== '"') return undefined
  return {
    code: CODE,
    message: `'${word}' is searched as it stands: it is written ${name} not matches "…", of any part of the value: ^(…)$ is of the whole one, as LogQL reads labels`,
    edit: word.startsWith('{') ? undefined : { start, end, text: `${name} not matches ` },
  }
}
