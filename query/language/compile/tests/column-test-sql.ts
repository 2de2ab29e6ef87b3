// `bytes > column.bytes_in`: two columns of a row compared (search-language#two-columns), by the
// rules that hold for a column and a value.
import { foldExpression } from '../../../../schemas/store/text-index.ts'
import type { CompareOperator } from '../../tree.ts'
import { FALSE, sqlAnd, sqlNot, sqlOr, sqlPresent } from '../boolean-sql.ts'
import type { ValueSource } from '../columns/column-sql.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { readMomentSql } from './moment-sql.ts'
import { fractionFits, isNumberSql } from './number-bound.ts'
import { type Operand, sourceExists, valueText } from './operand.ts'
import { rankSql } from './priority.ts'

export function columnTestSql(
  left: Operand,
  operator: CompareOperator,
  right: Operand,
  context: CompileContext,
): string {
  context.params.countConditions(8)
  const plain = operator === '!=' ? '=' : operator
  const compare = left.kind === 'date' || right.kind === 'date' ? compareTimes : compareValues
  const { exists, passes } = compare(left, plain, right, context)
  return sqlAnd([exists, operator === '!=' ? sqlNot(passes) : passes])
}

/** `exists`: the row has both columns. Neither is ever NULL. */
type Compared = { readonly exists: string; readonly passes: string }
type PlainOperator = Exclude<CompareOperator, '!='>

function compareTimes(
  left: Operand,
  operator: PlainOperator,
  right: Operand,
  context: CompileContext,
): Compared {
  const [a, b] = [nanosOf(left, context), nanosOf(right, context)]
  return {
    exists: sqlAnd([existsSql(left, context), existsSql(right, context)]),
    passes: `ifNull(${a} ${operator} ${b}, 0)`,
  }
}

function nanosOf(operand: Operand, context: CompileContext): string {
  if (operand.kind !== 'date')
    return `(${readMomentSql(textOf(operand, context), context)} * 1000000)`
  const { sql, unitsPerMs } = operand
  return unitsPerMs === 1 ? `(${sql} * 1000000)` : `toUnixTimestamp64Nano(${sql})`
}

function existsSql(operand: Operand, context: CompileContext): string {
  if (operand.kind === 'date') return `isNotNull(${operand.sql})`
  return sqlPresent(textOf(operand, context))
}

function compareValues(
  left: Operand,
  operator: PlainOperator,
  right: Operand,
  context: CompileContext,
): Compared {
  const [a, b] = [doubleOf(left), doubleOf(right)]
  if (a !== undefined && b !== undefined)
    return {
      exists: `(isNotNull(${a}) AND isNotNull(${b}))`,
      passes: `ifNull(${a} ${operator} ${b}, 0)`,
    }
  const [own, given] = [textOf(left, context), textOf(right, context)]
  const isNumber = sqlOr([cameAsNumber(left), cameAsNumber(right)])
  return {
    exists: `(${sqlPresent(own)} AND ${sqlPresent(given)})`,
    passes: `multiIf(${[
      ...[`${isNumberSql(own)} AND ${isNumberSql(given)}`, compareNumbers(own, operator, given)],
      ...(isNumber === FALSE ? [] : [isNumber, '0']),
      ...compareAddresses(own, operator, given),
      ...(operator === '=' ? [] : compareRanks(own, operator, given)),
      `${foldExpression(own)} ${operator} ${foldExpression(given)}`,
    ].join(', ')})`,
  }
}

/** Where nothing but numbers can be. */
function doubleOf(operand: Operand): string | undefined {
  if (operand.kind === 'size') return operand.sql
  const sources = operand.kind === 'values' ? operand.spellings.flat() : []
  const [first] = sources
  return sources.length === 1 && first?.kind === 'double' ? first.sql : undefined
}

/** With all digits; '' when missing. */
function textOf(operand: Operand, context: CompileContext): string {
  if (operand.kind !== 'values') return shownText(operand, context)
  return valueText(operand.spellings)
}

/** True where the value came as a number: it is compared with numbers only. */
function cameAsNumber(operand: Operand): string {
  if (operand.kind === 'size') return '1'
  const sources = operand.kind === 'values' ? operand.spellings.flat() : []
  const isNumber = (source: ValueSource) => source.kind === 'double' || source.isNumber === true
  if (!sources.some(isNumber)) return FALSE
  const cases = sources.flatMap((source) => [sourceExists(source), isNumber(source) ? '1' : '0'])
  return `multiIf(${[...cases, '0'].join(', ')})`
}

/** Of texts that read as numbers: exact where both fit, else by doubles. */
function compareNumbers(own: string, operator: PlainOperator, given: string): string {
  const [a, b] = [own, given].map((text) => `toDecimal256OrNull(${text}, 38)`)
  const fits = [own, given].map(fractionFits).join(' AND ')
  const exact = `ifNull(${a} ${operator} ${b}, 0)`
  const byDouble = `ifNull(toFloat64OrNull(${own}) ${operator} toFloat64OrNull(${given}), 0)`
  return `if(isNotNull(${a}) AND isNotNull(${b}) AND ${fits}, ${exact}, ${byDouble})`
}

function compareAddresses(own: string, operator: PlainOperator, given: string): string[] {
  const [a, b] = [`toIPv6OrNull(${own})`, `toIPv6OrNull(${given})`]
  return [`isNotNull(${a}) AND isNotNull(${b})`, `ifNull(${a} ${operator} ${b}, 0)`]
}

function compareRanks(own: string, operator: PlainOperator, given: string): string[] {
  const [a, b] = [rankSql(foldExpression(own)), rankSql(foldExpression(given))]
  return [`${a} != 0 AND ${b} != 0`, `${a} ${operator} ${b}`]
}
