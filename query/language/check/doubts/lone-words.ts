// Words of a filter that stand where a scope, a length of time or a stage may have been meant.
import { parseTimeUnit } from '../../../../schemas/time/time-unit.ts'
import type { ColumnNames } from '../../column-names.ts'
import { patternText } from '../../parse/input.ts'
import { printColumn, printScopeName } from '../../print/print-words.ts'
import type { Filter, Span } from '../../tree.ts'
import { brokenLast } from '../broken-last.ts'
import { foreignWord } from '../foreign/foreign-words.ts'
import type { Doubt } from '../neighbours.ts'

export type Around = {
  readonly text: string
  readonly names: ColumnNames
  /** True of the name of a log that the user may see. */
  readonly isLog: (name: string) => boolean
}

/** Of the word at `at`, by what is around it. */
export function doubtOfLoneWord(
  operands: readonly Filter[],
  at: number,
  around: Around,
): Doubt | undefined {
  const operand = operands[at]
  if (operand?.kind !== 'word') return undefined
  const word = patternText(operand.pattern)
  return (
    isNull(operand, around) ??
    lengthOfTime(operands, at, around) ??
    listOrScope(operands, at, word, around) ??
    functionFirst(operands, at, word, around) ??
    signAlone(word)
  )
}

function searched(word: string, hint: string, edit?: Doubt['edit']): Doubt {
  return { code: 'query.searched_word', message: `'${word}' is searched as a word: ${hint}`, edit }
}

/** `user is null`, also of a column that no log has. */
function isNull({ start }: Span, { text }: Around): Doubt | undefined {
  const [written, not] = /^is\s+(not\s+)?null(?=$|[\s|)\]])/i.exec(text.slice(start)) ?? []
  if (written === undefined) return undefined
  const write = not === undefined ? '= null' : '!= null'
  const edit = { start, end: start + written.length, text: write }
  return {
    code: 'query.other_language',
    message: `'${written}' is searched as words: it is written column ${write}`,
    edit,
  }
}

/** `error last 2 hours`, `error since 1h`, at the end or before a stage. */
function lengthOfTime(
  operands: readonly Filter[],
  at: number,
  { text }: Around,
): Doubt | undefined {
  const [before, operand] = [operands[at - 1], operands[at]]
  if (operand === undefined) return undefined
  // Told of the word before.
  if (before !== undefined && brokenLast(text, before.start) !== undefined) return undefined
  if (before?.kind === 'word' && /^(?:the|for|since)$/i.test(patternText(before.pattern)))
    return undefined
  const { start } = operand
  const [written, , count = '', unit = ''] =
    /^(since|last|past|for)(?:\s+the)?(?:\s+last)?\s+(\d{1,6})\s*([a-z]+)(?=\s*(?:$|[|)\]]))/i.exec(
      text.slice(start),
    ) ?? []
  if (written === undefined || parseTimeUnit(unit) === undefined) return undefined
  const write = `in last ${count} ${unit}`
  const edit = { start, end: start + written.length, text: write }
  return searched(written, `the time is narrowed with ${write}`, edit)
}

/** `level in ERROR`, `error in access`, `error from access`. */
function listOrScope(
  operands: readonly Filter[],
  at: number,
  word: string,
  { text, names, isLog }: Around,
): Doubt | undefined {
  const folded = word.toLowerCase()
  const [operand, next] = [operands[at], operands[at + 1]]
  if (operand === undefined || (folded !== 'in' && folded !== 'from')) return undefined
  const named = next?.kind === 'word' ? patternText(next.pattern) : undefined
  const isEnd = next === undefined || /^\s*(?:$|[|)\]])/.test(text.slice(next.end))
  if (named !== undefined && next !== undefined && isLog(named)) {
    const write = `in log.${printScopeName(named)}`
    const edit = isEnd ? { start: operand.start, end: next.end, text: write } : undefined
    return searched(word, `a scope is written ${write}`, edit)
  }
  if (folded === 'from' || next === undefined) return undefined
  const column = operands[at - 1]
  const name = column?.kind === 'word' ? patternText(column.pattern) : ''
  if (named !== undefined && names.has(name)) {
    const value = text.slice(next.start, next.end)
    const edit = { start: next.start, end: next.end, text: `(${value})` }
    return searched(word, `a list stands in parentheses: ${name} in (${value})`, edit)
  }
  // `failed login in room` is a text.
  if (named === undefined || !/[\d.-]/.test(named)) return undefined
  return searched(word, 'a scope is written in server.web-01 or in log.web')
}

const FUNCTIONS = ['count', 'sum', 'avg', 'stdev', 'median', 'distinct']

/** `count by host`, `avg bytes` before any |. */
function functionFirst(
  operands: readonly Filter[],
  at: number,
  word: string,
  { text, names }: Around,
): Doubt | undefined {
  const [first, next] = operands
  if (at !== 0 || first === undefined || next?.kind !== 'word') return undefined
  if (!FUNCTIONS.includes(word.toLowerCase()) || text.charAt(first.end) === '(') return undefined
  const second = patternText(next.pattern)
  const isBy = second.toLowerCase() === 'by'
  const isGroup = /^group\s+by\b/i.test(text.slice(next.start))
  if (!isBy && !isGroup && (word.toLowerCase() === 'count' || !names.has(second))) return undefined
  const edit = isBy
    ? { start: first.start, end: next.end, text: `* | ${word} group by` }
    : { start: first.start, end: first.start, text: '* | ' }
  return searched(word, 'a function is a stage, with | before it: * | count group by host', edit)
}

/** `status : 404`. */
export function colonAlone(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
): Doubt | undefined {
  const [before, operand] = [operands[at - 1], operands[at]]
  if (operand?.kind !== 'word') return undefined
  const word = patternText(operand.pattern)
  if (!word.startsWith(':') || !/^:[\p{L}\p{N}_.-]*$/u.test(word)) return undefined
  const name =
    before?.kind === 'word'
      ? patternText(before.pattern)
      : before?.kind === 'phrase'
        ? before.text
        : ''
  if (before === undefined || !names.has(name)) return undefined
  const column = printColumn({ kind: 'column', name, origin: 'any', start: 0, end: 0 })
  const value = word.slice(1)
  const edit = { start: before.start, end: operand.end, text: `${column} = ${value}`.trimEnd() }
  return {
    code: 'query.other_language',
    message: `'${word}' is searched as it stands: a test is written ${column} = value`,
    edit,
  }
}

/** `error - timeout`. */
function signAlone(word: string): Doubt | undefined {
  // Dots are a part of many texts: loading ...
  if (word === '' || /[\p{L}\p{N}_}]|^[.…]{2,}$|^…$/u.test(word)) return undefined
  if (foreignWord(word) !== undefined) return undefined
  const isMinus = word === '-' || word === '–'
  const way = isMinus
    ? 'leave it out, or write not before what the events shall not have'
    : 'leave it out where it is no part of the text'
  return { code: 'query.searched_word', message: `'${word}' is searched as it stands: ${way}` }
}
