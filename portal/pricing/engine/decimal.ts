// The only place that knows the decimal library (docs/decisions/0052). Sums, differences and
// products are exact there; the one division rounds once, half to even. Other ways to divide, and
// ways back to binary numbers, are refused by test/unit/architecture.test.ts.
import { BigNumber } from 'bignumber.js'

export type Decimal = BigNumber

/** More than any currency has. */
const MAX_DIGITS = 6

const ROUNDERS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) =>
  BigNumber.clone({ DECIMAL_PLACES: digits, ROUNDING_MODE: BigNumber.ROUND_HALF_EVEN }),
)

export const ZERO = decimal('0')
export const HUNDRED = decimal('100')

/** `text` was checked: a decimal number without exponent. */
export function decimal(text: string): Decimal {
  return new BigNumber(text)
}

/** `count`: a whole number. */
export function wholeDecimal(count: number): Decimal {
  return new BigNumber(String(count))
}

/** Numerator / denominator, rounded once, half to even. */
export function roundedQuotient(numerator: Decimal, denominator: Decimal, digits: number): Decimal {
  const Rounder = ROUNDERS[digits]
  if (Rounder === undefined) throw new Error(`no rounding to ${digits} digits`)
  return new BigNumber(new Rounder(numerator).div(denominator))
}

/** How many parts of `size` hold `value`; one that is begun counts. */
export function partsBegun(value: Decimal, size: Decimal): Decimal {
  const whole = value.idiv(size)
  return isMultiple(value, size) ? whole : whole.plus('1')
}

/** The least multiple of `step` above the value. */
export function nextMultiple(value: Decimal, step: Decimal): Decimal {
  return value.idiv(step).plus('1').times(step)
}

export function isMultiple(value: Decimal, step: Decimal): boolean {
  return value.mod(step).isZero()
}

/** Digits after the point that are not superfluous. */
export function digitsAfterPoint(value: Decimal): number {
  return value.decimalPlaces() ?? 0
}

export function smaller(a: Decimal, b: Decimal): Decimal {
  return b.lt(a) ? b : a
}

export function larger(a: Decimal, b: Decimal): Decimal {
  return b.gt(a) ? b : a
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), ZERO)
}
