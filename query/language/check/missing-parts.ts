// A test of which a part is missing, so that the rest is searched as words: `User alice`,
// `not contains "x"`, `where Status`, `level = error in "web"`.
import { builtInColumn } from '../built-in-columns.ts'
import type { ColumnNames } from '../column-names.ts'
import type { Filter } from '../tree.ts'
import type { CheckedRows } from './check-column.ts'
import { columnBefore, type Doubt, insideNot, searchedDoubt, spanAt, wordAt } from './neighbours.ts'

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=[\da-f]*:[\da-f]*:)[\da-f:]+)$/i

/** `Remote IP 10.2.3.4`, `User alice`, `log "ssh auth"`, `where count if …`: no operator stands
 *  between a column and a value at `at`. */
export function missingOperator(
  operands: readonly Filter[],
  at: number,
  rows: CheckedRows,
  text: string,
): Doubt | undefined {
  const operand = operands[at]
  const inner = insideNot(operand)
  if (operand === undefined || (inner?.kind !== 'word' && inner?.kind !== 'phrase'))
    return undefined
  const column =
    quotedColumnBefore(operands, at, rows.names) ?? bareColumn(operands, at, rows, text)
  if (column === undefined) return undefined
  const operator = operand.kind === 'not' ? '!=' : '='
  const { start } = operand
  const end = operand.kind === 'not' ? inner.start : start
  const message = `a test of the column is written ${column} ${operator} value`
  return searchedDoubt(column, message, { start, end, text: `${operator} ` })
}

/** `"process time (ms)" 100`: a phrase that no text is likely to hold. */
function quotedColumnBefore(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
): string | undefined {
  const before = insideNot(operands[at - 1])
  if (before?.kind !== 'phrase' || !/\W/.test(before.text)) return undefined
  return names.spelled(before.text) === before.text ? `"${before.text}"` : undefined
}

function bareColumn(
  operands: readonly Filter[],
  at: number,
  { names, isTable }: CheckedRows,
  text: string,
): string | undefined {
  const column = columnBefore(operands, at, names)
  if (column === undefined) return undefined
  const { name, from, isPrefixed } = column
  // `User Agent` where both are columns.
  const longer = columnBefore(operands, at + 1, names)
  if (longer !== undefined && longer.from <= from) return undefined
  if (isPrefixed || isTable || isUnlikeText(name, names)) return name
  // Among other words it is more likely a word.
  if (isBeside(operands, from - 1, text) || isBeside(operands, at, text)) return undefined
  const word = wordAt(operands, at)
  const isAddress = word !== undefined && ADDRESS.test(word)
  // `message "disk full"`, `host web-*`, `size 1kb`
  const isValue = word === undefined || /^\*|\*$|^\d+[kmg]?b$/i.test(word)
  const isBuiltIn = builtInColumn(name) !== undefined
  return isSpelled(name, names) || isAddress || (isBuiltIn && isValue) ? name : undefined
}

/** A text and the next one, without `and` between them. */
function isBeside(operands: readonly Filter[], at: number, text: string): boolean {
  const [first, second] = [operands[at], operands[at + 1]]
  if (first === undefined || second === undefined || !isText(first) || !isText(second)) return false
  return !/\sand\s/i.test(text.slice(first.end, second.start))
}

/** `where Status`, `if (Bytes Sent)`: nothing but a column. */
export function loneColumn(filter: Filter, { names, isTable }: CheckedRows): Doubt | undefined {
  const operands = filter.kind === 'and' ? filter.operands : [filter]
  const column = columnBefore(operands, operands.length, names)
  if (column === undefined || column.from > 0) return undefined
  const { name } = column
  if (!isTable && !isUnlikeText(name, names) && !isSpelled(name, names)) return undefined
  const { end } = filter
  const edit = { start: end, end, text: ' exists' }
  return searchedDoubt(name, `rows that have the column are found with ${name} exists`, edit)
}

/** A name of several words, `user_id`, `http.status`; `timestamp` and `apptags`. */
function isUnlikeText(name: string, names: ColumnNames): boolean {
  if (/^(?:timestamp|apptags)$/.test(name)) return true
  return /[^\p{L}\p{N}]/u.test(name) && names.spelled(name) === name
}

/** `Method`, `URL`: with its capital letters. */
function isSpelled(name: string, names: ColumnNames): boolean {
  return names.spelled(name) === name && /\p{Lu}/u.test(name)
}

function isText(operand: Filter | undefined): boolean {
  const kind = insideNot(operand)?.kind
  return kind === 'word' || kind === 'phrase'
}

/** `not contains "x"`, `starts with /a`: what would be a test after a column. */
export function missingColumn(
  operands: readonly Filter[],
  at: number,
  word: string,
  text: string,
): Doubt | undefined {
  const next = operands[at + 1]
  if (isText(operands[at - 1]) || !isText(next)) return undefined
  const isList = /^\s+[([]/.test(text.slice(spanAt(operands, at).end))
  if (word.toLowerCase() === 'in' && isList)
    return searchedDoubt(word, 'a column stands before it, such as user in (a, b)')
  if (!isOperator(word.toLowerCase(), next, wordAt(operands, at + 1))) return undefined
  return searchedDoubt(word, `a column stands before it, such as ${exampleOf(word)}`)
}

function isOperator(word: string, next: Filter | undefined, nextWord: string | undefined): boolean {
  switch (word) {
    case 'contains':
      return true
    case 'matches':
      return next?.kind === 'phrase'
    case 'starts':
    case 'ends':
      return nextWord?.toLowerCase() === 'with'
    case 'within':
      return nextWord !== undefined && ADDRESS.test(nextWord.replace(/\/\d+$/, ''))
    default:
      return false
  }
}

function exampleOf(word: string): string {
  const folded = word.toLowerCase()
  if (folded === 'within') return 'host within 10.0.0.0/8'
  return `message ${folded}${folded === 'starts' || folded === 'ends' ? ' with' : ''} "…"`
}

/** `level = error in "ssh auth"`, `* in access`: the kind of a scope is missing. */
export function missingKind(operands: readonly Filter[], at: number): Doubt | undefined {
  if (at === 0 || wordAt(operands, at)?.toLowerCase() !== 'in') return undefined
  const next = operands[at + 1]
  if (wordAt(operands, at - 1) !== undefined) return undefined
  if (!isText(next) && next?.kind !== 'everything') return undefined
  return searchedDoubt('in', 'a scope says what it names: in log.access, in folder.Web')
}
