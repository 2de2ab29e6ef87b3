// Words and phrases beside each other, as the checks of a filter look at them.
import type { ColumnNames } from '../column-names.ts'
import { patternText } from '../parse/input.ts'
import type { Filter, Span } from '../tree.ts'
import type { Edit } from './edit.ts'
import type { WarningCode } from './findings.ts'

export type Doubt = {
  readonly code: WarningCode
  readonly message: string
  /** A definite way out. */
  readonly edit?: Edit | undefined
}

export const SCOPE_KINDS = [
  'log',
  'folder',
  'app',
  'apptag',
  'server',
  'host',
  'file',
  'source',
  'type',
]
/** `log.access` */
export const SCOPE_SHAPE = new RegExp(`^(?:${SCOPE_KINDS.join('|')})\\.`, 'i')
/** ` log.access` after another name. */
export const SECOND_SCOPE = new RegExp(`(?<!\\s)\\s+(?:${SCOPE_KINDS.join('|')})\\.`, 'i')
/** ` in log.access`, ` in *` */
export const SCOPE_START = new RegExp(`^\\s+in\\s+(?:\\*|(?:${SCOPE_KINDS.join('|')})\\.)`, 'i')
const MAX_NAME_WORDS = 4
const NO_SPAN: Span = { start: 0, end: 0 }

export function searchedDoubt(word: string, hint: string, edit?: Edit): Doubt {
  return { code: 'query.searched_word', message: `'${word}' is searched as a word: ${hint}`, edit }
}

/** Also after NOT, which takes the first of a test's words. */
export function wordAt(operands: readonly Filter[], at: number): string | undefined {
  const inner = insideNot(operands[at])
  return inner?.kind === 'word' ? patternText(inner.pattern) : undefined
}

/** Of a word, without the NOT before it. */
export function spanAt(operands: readonly Filter[], at: number): Span {
  const { start, end } = insideNot(operands[at]) ?? NO_SPAN
  return { start, end }
}

export function insideNot(operand: Filter | undefined): Filter | undefined {
  return operand?.kind === 'not' ? operand.operand : operand
}

/** The longest name that ends before `at`, without `column.` and `event.`; `from`: its first
 *  word. */
export function columnBefore(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
): { readonly name: string; readonly from: number; readonly isPrefixed: boolean } | undefined {
  let found: { name: string; from: number; isPrefixed: boolean } | undefined
  const words: string[] = []
  for (let from = at - 1; from >= 0 && words.length < MAX_NAME_WORDS; from -= 1) {
    const word = wordAt(operands, from)
    if (word === undefined) break
    words.unshift(word)
    const written = words.join(' ')
    const name = written.replace(/^(?:column|event)\./i, '')
    if (names.has(name)) found = { name, from, isPrefixed: name !== written }
    if (operands[from]?.kind === 'not') break
  }
  return found
}
