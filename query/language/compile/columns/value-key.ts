// Values as keys that are equal where the values are (search-language#column-tests): numbers by
// value, addresses by address, texts without letter case. For look-ups in sets that only the store
// knows: queries in brackets, join.
import { foldExpression } from '../../../../schemas/store/text-index.ts'
import { fractionFits, isNumberSql } from '../tests/number-bound.ts'
import { doubleText } from './column-sql.ts'

/** One key of a text that is not empty. */
export function textKey(text: string): string {
  const address = `toIPv6OrNull(${text})`
  return `multiIf(${isNumberSql(text)}, ${numberKey(text)}, isNotNull(${address}), concat('a', hex(${address})), concat('t', ${foldExpression(text)}))`
}

/** Key of a Nullable(Float64) or a whole number; one of the keys that `textKeys` gives for an equal
 *  value. */
export function doubleKey(number: string): string {
  return `concat('f', if(${number} = 0, '0', toString(toFloat64(${number}))))`
}

/** All keys of a text that is not empty, Array(String). A number that a double holds exactly also
 *  has the key of the double. */
export function textKeys(text: string): string {
  const double = `toFloat64OrNull(${text})`
  const isExact = `${numberKey(doubleText(double))} = ${numberKey(text)}`
  return `if(${isNumberSql(text)} AND ${isExact}, [${textKey(text)}, ifNull(${doubleKey(double)}, '')], [${textKey(text)}])`
}

/** Exact if it fits 38 digits on each side of the point. */
function numberKey(text: string): string {
  const decimal = `toDecimal256OrNull(${text}, 38)`
  const exact = `concat('n', toString(${decimal}))`
  return `ifNull(if(isNotNull(${decimal}) AND ${fractionFits(text)}, ${exact}, ${doubleKey(`toFloat64OrNull(${text})`)}), '')`
}
