// Tests of columns that can only be false, or true of other events than were meant.
import { parseDecimal } from '../../../../schemas/decimal.ts'
import { builtInColumn } from '../../built-in-columns.ts'
import type { ColumnKind } from '../../column-entries.ts'
import type { ColumnNames } from '../../column-names.ts'
import { patternText } from '../../parse/input.ts'
import type { Check, ColumnRef, CompareOperator, Test, Value } from '../../tree.ts'
import type { Doubt } from '../neighbours.ts'
import { patternAsText } from './pattern-as-text.ts'

export type Tested = {
  /** The query. */
  readonly text: string
  readonly names: ColumnNames
  /** Of the values that the column has in the logs in scope; none where that is not known. */
  readonly kinds: ReadonlySet<ColumnKind>
}

/** The first that holds. */
export function doubtOfTest({ column, check }: Test, tested: Tested): Doubt | undefined {
  if (check.kind === 'between')
    return unitAsText(column, check, check.low) ?? unitAsText(column, check, check.high)
  if (check.kind !== 'compare') return undefined
  const { operator, value } = check
  return (
    turnedRound(column, operator, value, tested) ??
    rangeInBrackets(column, value, tested) ??
    patternAsText(column, operator, value, tested.text) ??
    emptyValue(column, operator, value) ??
    unitAsText(column, check, value) ??
    textAgainstNumbers(column, operator, value, tested)
  )
}

const TURNED: Readonly<Record<CompareOperator, CompareOperator>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** `400 <= status`. */
function turnedRound(
  column: ColumnRef,
  operator: CompareOperator,
  value: Value,
  { names }: Tested,
): Doubt | undefined {
  const name = patternText(value.pattern)
  if (value.isQuoted || names.has(column.name) || !names.has(name)) return undefined
  if (parseDecimal(column.name) === null) return undefined
  const write = `${name} ${TURNED[operator]} ${column.name}`
  return {
    code: 'query.unknown_column',
    message: `'${column.name}' is read as the name of a column, which stands on the left: write ${write}`,
    edit: { start: column.start, end: value.end, text: write },
  }
}

/** `status = [400 TO 499]`. */
function rangeInBrackets(column: ColumnRef, { start }: Value, { text }: Tested): Doubt | undefined {
  const [range, low = '', high = ''] =
    /^[[{](\S+)\s+TO\s+([^\s\]})]+)[\]}]/i.exec(text.slice(start)) ?? []
  if (range === undefined) return undefined
  const write = `between ${low} and ${high}`
  return {
    code: 'query.other_language',
    message: `'${range}' is no range here: it is written ${write}`,
    edit: { start: column.end, end: start + range.length, text: ` ${write}` },
  }
}

/** `user = ""`, `user != *`. */
function emptyValue(column: ColumnRef, operator: CompareOperator, value: Value): Doubt | undefined {
  const isEmpty = operator === '=' && value.isQuoted && value.pattern.length === 0
  const isAny = operator === '!=' && value.pattern.every(({ kind }) => kind === 'run')
  if (!isEmpty && (!isAny || value.pattern.length === 0)) return undefined
  const why = isEmpty ? 'an empty text counts as missing' : 'every text is like *'
  return {
    code: 'query.never_true',
    message: `no event passes this test, ${why}: events without the column are found with = null`,
    edit: { start: column.end, end: value.end, text: ' = null' },
  }
}

const UNIT = /^-?\d+(?:\.\d+)?\s?(?:[a-zµ]{1,6}|%)$/i

/** `duration > "500ms"`; without quotation marks it is refused. */
function unitAsText(column: ColumnRef, check: Check, value: Value): Doubt | undefined {
  if (check.kind === 'compare' && /^!?=$/.test(check.operator)) return undefined
  const text = patternText(value.pattern)
  if (!value.isQuoted || !UNIT.test(text) || isSize(column)) return undefined
  return {
    code: 'query.compared_as_text',
    message: `'${text}' is compared as a text, letter by letter: numbers have no units here, write ${Number.parseFloat(text)} in the unit that the column counts in; from texts such as ${text} numbers are cut out with | extract`,
  }
}

function isSize({ name, origin }: ColumnRef): boolean {
  return origin !== 'parsed' && builtInColumn(name) === 'size'
}

/** `status = 4xx`, where the column holds numbers only. */
function textAgainstNumbers(
  column: ColumnRef,
  operator: CompareOperator,
  value: Value,
  { kinds, names, text: query }: Tested,
): Doubt | undefined {
  if (kinds.size !== 1 || !kinds.has('number')) return undefined
  if (value.pattern.some(({ kind }) => kind !== 'text')) return undefined
  const text = patternText(value.pattern)
  if (text === '' || parseDecimal(text) !== null) return undefined
  // Told already.
  const isOther = /^['~]|;$/.test(text) || names.has(text) || query.charAt(value.end) === '('
  if (isOther && !value.isQuoted) return undefined
  const [, digits] = /^(\d+)(?:x+|\.+)$/i.exec(text) ?? []
  const write = operator === '=' && digits !== undefined ? `${digits}*` : undefined
  const always = operator === '!=' ? 'this is true of all that have it' : 'this is never true'
  const hint = write === undefined ? '' : `; what begins with ${digits} is ${write}`
  return {
    code: 'query.never_true',
    message: `'${text}' is no number, and the column '${column.name}' holds numbers only: ${always}${hint}`,
    edit: write === undefined ? undefined : { start: value.start, end: value.end, text: write },
  }
}
