// Column tests as SQL (search-language#column-tests). Every condition is true or false, never NULL.

import { foldCase, foldExpression } from '../../../../schemas/store/text-index.ts'
import { formatAddress, parseAddress, parseBlock } from '../../ip-address.ts'
import { patternText } from '../../parse/input.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Check, CompareOperator, Value } from '../../tree.ts'
import { FALSE, sqlAnd, sqlNot, sqlPresent } from '../boolean-sql.ts'
import { doubleText, type ValueSource } from '../columns/column-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import { checkRegexp } from '../regexp/check-regexp.ts'
import { regexpLiteral } from '../regexp/regexp-literal.ts'
import type { SqlParams } from '../sql-params.ts'
import { wholeRegexp } from '../terms/term-regexp.ts'
import { dateTestSql } from './date-test-sql.ts'
import { listSql } from './list-sql.ts'
import { compareDouble, compareNumberText, isNumberSql, parseNumberBound } from './number-bound.ts'
import { anySource, type Operand, sourceExists } from './operand.ts'
import { perLogTestSql } from './per-log-test-sql.ts'
import { priorityRank, rankSql } from './priority.ts'
import { refuseTimes, refuseUnit } from './refused-values.ts'
import { sizeTestSql } from './size-test-sql.ts'
import { textTest } from './test-text-sql.ts'

export function testSql(operand: Operand, check: Check, context: CompileContext): string {
  if (check.kind === 'subQuery') {
    return context.subQuerySql(operand, check)
  }
  if (operand.kind !== 'date') refuseTimes(check)
  switch (operand.kind) {
    case 'date':
      return dateTestSql(operand, check, context)
    case 'size':
      return sizeTestSql(operand.sql, check, context.params)
    case 'perLog':
      return perLogTestSql(operand, check, context.params)
    case 'values': {
      const positive = (source: ValueSource) => sourceTest(source, check, context.params)
      const passes = anySource(operand.spellings, positive)
      if (!isNegative(check)) return passes
      const exists = anySource(operand.spellings, sourceExists)
      return check.kind === 'exists' ? sqlNot(exists) : sqlAnd([exists, sqlNot(passes)])
    }
  }
}

/** `!=` and the operators with `not` are true of what exists and does not pass the plain
 *  operator. */
export function isNegative(check: Check): boolean {
  if (check.kind === 'compare') return check.operator === '!='
  return 'isNegated' in check && check.isNegated
}

/** The test without its negation, of one place where the value may be. False where the value is
 *  not. */
function sourceTest(source: ValueSource, check: Check, params: SqlParams): string {
  params.countConditions(1)
  switch (check.kind) {
    case 'exists':
      return sourceExists(source)
    case 'compare':
      return compare(source, check.operator === '!=' ? '=' : check.operator, check.value, params)
    case 'list':
      return listSql(source, check.values, params)
    case 'between':
      return sqlAnd([
        compare(source, '>=', check.low, params),
        compare(source, '<=', check.high, params),
      ])
    case 'text':
      return textTest(textOf(source), check.operator, patternText(check.value.pattern), params)
    case 'matches': {
      const regexp = patternText(check.value.pattern)
      checkRegexp(regexp, check.value.start, params)
      return present(textOf(source), matchSql(textOf(source), regexp, params))
    }
    case 'within':
      return source.kind === 'text' ? withinSql(source.sql, check.value, params) : FALSE
    case 'column':
    case 'subQuery':
      return FALSE
  }
}

function textOf(source: ValueSource): string {
  return source.kind === 'text' ? source.sql : doubleText(source.sql)
}

/** As quick as the expression allows: as a plain text where it is one, else after a look for what
 *  it cannot do without. */
function matchSql(text: string, regexp: string, params: SqlParams): string {
  const matches = () => `match(${text}, ${params.text(regexp)})`
  const literal = regexpLiteral(regexp)
  if (!literal) return matches()
  const given = params.text(literal.text)
  if (!literal.isWhole) return `(position(${text}, ${given}) > 0 AND ${matches()})`
  if (literal.isAtStart && literal.isAtEnd) return `${text} = ${given}`
  if (literal.isAtStart) return `startsWith(${text}, ${given})`
  return literal.isAtEnd ? `endsWith(${text}, ${given})` : `(position(${text}, ${given}) > 0)`
}

function present(text: string, condition: string): string {
  return `(${sqlPresent(text)} AND ${condition})`
}

function compare(
  source: ValueSource,
  operator: CompareOperator,
  value: Value,
  params: SqlParams,
): string {
  if (operator === '=' && value.pattern.some((part) => part.kind !== 'text')) {
    const regexp = params.text(wholeRegexp(value.pattern))
    return present(textOf(source), `match(${textOf(source)}, ${regexp})`)
  }
  const text = patternText(value.pattern)
  refuseUnit(operator, value, text)
  const bound = parseNumberBound(text)
  // What came as a number is compared with numbers only, however it was spelled.
  if (source.kind === 'double') {
    if (!bound) return FALSE
    const condition = compareDouble(source.sql, operator, bound, params)
    return condition === FALSE ? FALSE : `ifNull(${condition}, 0)`
  }
  const { sql } = source
  if (source.isNumber && !bound) return FALSE
  const byText = `${foldExpression(sql)} ${operator} ${params.text(foldCase(text))}`
  if (bound) {
    params.countConditions(3)
    const byNumber = compareNumberText(sql, operator, bound, params)
    return operator === '='
      ? `(${isNumberSql(sql)} AND ${byNumber})`
      : present(sql, `if(${isNumberSql(sql)}, ${byNumber}, ${byText})`)
  }
  const address = parseAddress(text)
  if (address !== undefined) {
    const own = `toIPv6OrNull(${sql})`
    const given = `toIPv6(${params.text(formatAddress(address))})`
    return operator === '='
      ? `ifNull(${own} = ${given}, 0)`
      : present(sql, `ifNull(${own} ${operator} ${given}, ${byText})`)
  }
  const rank = operator === '=' ? undefined : priorityRank(foldCase(text))
  if (rank === undefined) return operator === '=' ? nonEmpty(text, byText) : present(sql, byText)
  const own = rankSql(foldExpression(sql))
  return present(sql, `if(${own} != 0, ${own} ${operator} ${rank}, ${byText})`)
}

/** An empty text counts as missing: nothing equals it. */
function nonEmpty(text: string, condition: string): string {
  return text === '' ? FALSE : `(${condition})`
}

function withinSql(text: string, value: Value, params: SqlParams): string {
  const block = parseBlock(patternText(value.pattern))
  if (!block) return raiseQuery('an address or a CIDR block is expected', value.start)
  const low = `toIPv6(${params.text(formatAddress(block.low))})`
  const high = `toIPv6(${params.text(formatAddress(block.high))})`
  const inside = `ifNull(toIPv6OrNull(${text}) BETWEEN ${low} AND ${high}, 0)`
  return block.isV4 ? inside : `(position(${text}, ':') > 0 AND ${inside})`
}
