// Numbers inside formats (search-language#formats): at most 2 digits after the point, half away
// from zero, trailing zeros cut.
import { doubleText } from '../columns/column-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import { letSql } from '../let-sql.ts'

const DIGITS = 2

/** String SQL, '' for NULL and infinity. `number`: Nullable(Float64). */
export function shortNumber(number: string, context: CompileContext): string {
  const print = (value: string) =>
    `if(isFinite(ifNull(${value}, nan)), ifNull(toString(round(${computedDecimal(value)}, ${DIGITS})), ${doubleText(value)}), '')`
  return letSql(number, print, context)
}

/** A double as the decimal that its 15 digits say; NULL for NULL and beyond 38 digits before the
 *  point. */
export function computedDecimal(number: string): string {
  return `toDecimal256OrNull(printf('%.15g', toFloat64(${number})), 38)`
}
