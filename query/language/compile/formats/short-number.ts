// Numbers inside formats (search-language 4.1): at most 2 digits behind the point, half away from zero, trailing zeros cut.
import { computedText } from '../value-text.ts'

const DIGITS = 2

/** String SQL, '' for NULL. `number`: Nullable(Float64). */
export function shortNumber(number: string): string {
  return `ifNull(toString(round(${computedDecimal(number)}, ${DIGITS})), ${computedText(number)})`
}

/** A double as the decimal that its 15 digits say; NULL for NULL and beyond 38 digits before the point. */
export function computedDecimal(number: string): string {
  return `toDecimal256OrNull(printf('%.15g', toFloat64(${number})), 38)`
}
