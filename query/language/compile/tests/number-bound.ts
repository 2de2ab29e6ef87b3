// A number of a query compared exactly with doubles and with texts that read as numbers (decision
// 3.8, schemas/decimal.ts).
import { type Decimal, parseDecimal } from '../../../../schemas/decimal.ts'
import type { CompareOperator } from '../../tree.ts'
import { FALSE, TRUE } from '../boolean-sql.ts'
import type { SqlParams } from '../sql-params.ts'

export type NumberBound = {
  /** The nearest double. */
  readonly double: number
  /** -1, 0, 1: the number is less than, equal to, greater than the shortest form of `double`. */
  readonly side: -1 | 0 | 1
  /** Digits for Decimal(76, 38); null when it has more than 38 on a side. */
  readonly decimal: string | null
}

/** undefined: the text does not read as a number. */
export function parseNumberBound(text: string): NumberBound | undefined {
  const decimal = parseDecimal(text)
  if (decimal === null) return undefined
  const double = Number(text)
  if (decimal === 'beyond') return { double, side: 0, decimal: null }
  return { double, side: sideOf(decimal, double), decimal: decimalText(decimal) }
}

/** `expression` is a Float64 (or integer) that came as the shortest form of a double. May be NULL
 *  where the expression is. */
export function compareDouble(
  expression: string,
  operator: CompareOperator,
  { double, side }: NumberBound,
  params: SqlParams,
): string {
  const bound = params.add(doubleLiteral(double), 'Float64')
  if (side === 0) return `${expression} ${operator} ${bound}`
  switch (operator) {
    case '=':
      return FALSE
    case '!=':
      return TRUE
    case '<':
    case '<=':
      return `${expression} ${side > 0 ? '<=' : '<'} ${bound}`
    case '>':
    case '>=':
      return `${expression} ${side > 0 ? '>' : '>='} ${bound}`
  }
}

const NUMBER = '^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$'

/** True for a text that reads as a number. */
export function isNumberSql(text: string): string {
  return `match(${text}, '${NUMBER}')`
}

/** `text` is a String that reads as a number (else the answer means nothing). Exact where both fit,
 *  else by doubles. */
export function compareNumberText(
  text: string,
  operator: CompareOperator,
  bound: NumberBound,
  params: SqlParams,
): string {
  const double = `ifNull(toFloat64OrNull(${text}), 0) ${operator} ${params.add(doubleLiteral(bound.double), 'Float64')}`
  if (bound.decimal === null) return double
  const decimal = `toDecimal256OrNull(${text}, 38)`
  const exact = `ifNull(${decimal}, 0) ${operator} toDecimal256(${params.text(bound.decimal)}, 38)`
  return `if(isNotNull(${decimal}) AND ${fractionFits(text)}, ${exact}, ${double})`
}

/** For a text that reads as a number: at most 38 digits after the point, once the exponent has
 *  moved it: the engine cuts off what is more. */
export function fractionFits(text: string): string {
  const mantissa = `extract(${text}, '^[+-]?([0-9.]*)')`
  const exponent = `ifNull(toInt64OrNull(extract(${text}, '[eE]([+-]?[0-9]+)$')), 0)`
  const digits = `replaceAll(${mantissa}, '.', '')`
  const trailingZeros = `(length(${digits}) - length(replaceRegexpOne(${digits}, '0+$', '')))`
  const behindPoint = `if(position(${mantissa}, '.') = 0, 0, length(${mantissa}) - position(${mantissa}, '.'))`
  return `(NOT match(${text}, '[eE]|[.][0-9]{39}') OR toInt64(${behindPoint}) - toInt64(${trailingZeros}) - ${exponent} <= 38)`
}

function sideOf(decimal: Decimal, double: number): -1 | 0 | 1 {
  const shortest = parseDecimal(String(double))
  if (shortest === null) return double > 0 ? -1 : 1
  if (shortest === 'beyond') return 0
  const order = scaled(decimal) - scaled(shortest)
  if (order === 0n) return 0
  return order < 0n ? -1 : 1
}

function scaled({ isNegative, whole, fraction }: Decimal): bigint {
  const digits = BigInt(whole + fraction.padEnd(38, '0') || '0')
  return isNegative ? -digits : digits
}

function decimalText({ isNegative, whole, fraction }: Decimal): string {
  const text = `${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`
  return isNegative ? `-${text}` : text
}

export function doubleLiteral(double: number): string {
  if (Number.isFinite(double)) return String(double)
  return double > 0 ? 'inf' : '-inf'
}
