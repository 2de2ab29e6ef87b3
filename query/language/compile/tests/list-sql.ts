// `in (…)`: one look-up in a set for each way of comparing, however many values there are
// (search-language#column-tests).
import { foldCase, foldExpression } from '../../../../schemas/store/text-index.ts'
import { formatAddress, parseAddress } from '../../ip-address.ts'
import { patternText } from '../../parse/input.ts'
import type { Pattern, Value } from '../../tree.ts'
import { FALSE, sqlOr, sqlPresent } from '../boolean-sql.ts'
import { doubleText, type ValueSource } from '../columns/column-sql.ts'
import type { SqlParams } from '../sql-params.ts'
import { wholeRegexp } from '../terms/term-regexp.ts'
import {
  doubleLiteral,
  fractionFits,
  isNumberSql,
  type NumberBound,
  parseNumberBound,
} from './number-bound.ts'

/** True when the value equals one of them. */
export function listSql(source: ValueSource, values: readonly Value[], params: SqlParams): string {
  const wild = values.filter(({ pattern }) => pattern.some((part) => part.kind !== 'text'))
  const texts = values
    .filter((value) => !wild.includes(value))
    .map((value) => patternText(value.pattern))
  const numbers = texts.flatMap((text) => parseNumberBound(text) ?? [])
  const matching = wildSql(
    source,
    wild.map(({ pattern }) => pattern),
    params,
  )
  if (source.kind === 'double') return sqlOr([doubleSql(source.sql, numbers, params), matching])
  const { sql } = source
  if (source.isNumber) return sqlOr([numberTextSql(sql, numbers, params), matching])
  const addresses = texts.flatMap((text) => {
    const address = parseAddress(text)
    return address === undefined ? [] : [formatAddress(address)]
  })
  const plain = texts.filter(
    (text) =>
      text !== '' && parseNumberBound(text) === undefined && parseAddress(text) === undefined,
  )
  const given = params.add([...new Set(plain.map(foldCase))], 'Array(String)')
  return sqlOr([
    plain.length === 0 ? FALSE : `(${foldExpression(sql)} IN ${given})`,
    addresses.length === 0
      ? FALSE
      : `ifNull(toIPv6OrNull(${sql}) IN ${setOf('toIPv6', addresses, params)}, 0)`,
    numberTextSql(sql, numbers, params),
    matching,
  ])
}

function wildSql(source: ValueSource, patterns: readonly Pattern[], params: SqlParams): string {
  if (patterns.length === 0) return FALSE
  params.countConditions(Math.ceil(patterns.length / 10))
  const text = source.kind === 'text' ? source.sql : doubleText(source.sql)
  const regexp = patterns.map((pattern) => `(?:${wholeRegexp(pattern)})`).join('|')
  return `(${sqlPresent(text)} AND match(${text}, ${params.text(regexp)}))`
}

function doubleSql(sql: string, numbers: readonly NumberBound[], params: SqlParams): string {
  const doubles = numbers.flatMap(({ double, side }) => (side === 0 ? [doubleLiteral(double)] : []))
  if (doubles.length === 0) return FALSE
  return `ifNull(${sql} IN ${setOf('toFloat64', doubles, params)}, 0)`
}

/** Exact where the text and the value have at most 38 digits on each side, else by doubles. */
function numberTextSql(sql: string, numbers: readonly NumberBound[], params: SqlParams): string {
  if (numbers.length === 0) return FALSE
  const decimals = numbers.flatMap(({ decimal }) => decimal ?? [])
  const beyond = numbers.flatMap(({ decimal, double }) =>
    decimal === null ? [doubleLiteral(double)] : [],
  )
  const all = numbers.map(({ double }) => doubleLiteral(double))
  const decimal = `toDecimal256OrNull(${sql}, 38)`
  const double = `toFloat64OrNull(${sql})`
  const isExact = `(isNotNull(${decimal}) AND ${fractionFits(sql)})`
  const set = (name: string, texts: readonly string[], scale = '') =>
    texts.length === 0 ? FALSE : `${setOf(name, texts, params, scale)}`
  const exact = sqlOr([
    decimals.length === 0
      ? FALSE
      : `ifNull(${decimal} IN ${set('toDecimal256', decimals, ', 38')}, 0)`,
    beyond.length === 0 ? FALSE : `ifNull(${double} IN ${set('toFloat64', beyond)}, 0)`,
  ])
  params.countConditions(3)
  return `(${isNumberSql(sql)} AND if(${isExact}, ${exact}, ifNull(${double} IN ${set('toFloat64', all)}, 0)))`
}

function setOf(convert: string, texts: readonly string[], params: SqlParams, more = ''): string {
  const list = params.add([...new Set(texts)], 'Array(String)')
  return `(SELECT ${convert}(arrayJoin(${list})${more}))`
}
