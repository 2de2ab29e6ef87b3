// Tests of `size`, a number with the unit bytes (search-language#column-tests, #built-in-columns).
import { patternText } from '../../parse/input.ts'
import type { Check, CompareOperator, Value } from '../../tree.ts'
import { FALSE, sqlAnd, sqlNot, sqlOr, TRUE } from '../boolean-sql.ts'
import { checkRegexp } from '../regexp/check-regexp.ts'
import type { SqlParams } from '../sql-params.ts'
import { wholeRegexp } from '../terms/term-regexp.ts'
import { compareDouble, parseNumberBound } from './number-bound.ts'
import { textTest } from './test-text-sql.ts'

const UNITS: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['kb', 1024],
  ['mb', 1024 ** 2],
  ['gb', 1024 ** 3],
])

export function sizeTestSql(sql: string, check: Check, params: SqlParams): string {
  const positive = positiveTest(sql, check, params)
  if (check.kind === 'compare') return check.operator === '!=' ? sqlNot(positive) : positive
  return 'isNegated' in check && check.isNegated ? sqlNot(positive) : positive
}

function positiveTest(sql: string, check: Check, params: SqlParams): string {
  switch (check.kind) {
    case 'exists':
      return TRUE
    case 'compare':
      return compare(sql, check.operator === '!=' ? '=' : check.operator, check.value, params)
    case 'list':
      return sqlOr(check.values.map((value) => compare(sql, '=', value, params)))
    case 'between':
      return sqlAnd([compare(sql, '>=', check.low, params), compare(sql, '<=', check.high, params)])
    case 'text':
      return textTest(`toString(${sql})`, check.operator, patternText(check.value.pattern), params)
    case 'matches': {
      const regexp = patternText(check.value.pattern)
      checkRegexp(regexp, check.value.start, params)
      return `match(toString(${sql}), ${params.text(regexp)})`
    }
    case 'within':
    case 'column':
    case 'subQuery':
      return FALSE
  }
}

function compare(sql: string, operator: CompareOperator, value: Value, params: SqlParams): string {
  if (operator === '=' && value.pattern.some((part) => part.kind !== 'text')) {
    return `match(toString(${sql}), ${params.text(wholeRegexp(value.pattern))})`
  }
  const text = patternText(value.pattern)
  const [, digits = text, unit = ''] = /^(-?\d+(?:\.\d+)?)\s*([kmg]?b)$/i.exec(text) ?? []
  const factor = UNITS.get(unit.toLowerCase())
  const bound = parseNumberBound(factor === undefined ? text : String(Number(digits) * factor))
  if (!bound) return FALSE
  const condition = compareDouble(sql, operator, bound, params)
  return condition === FALSE ? FALSE : `(${condition})`
}
