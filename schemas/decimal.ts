// The rule "compare by value" of numbers kept as text (decision 3.8): exact when both have at most
// 38 digits on each side of the point, beyond that as doubles. The compiler's SQL must order values
// exactly as compareDecimals does.
import { trimEnd } from './names/trim-end.ts'

/** Digits kept exactly on each side of the point. */
const MAX_EXACT_DIGITS = 38

/** Value = (negative ? -1 : 1) * whole.fraction; no leading zeros in `whole`, no trailing ones in
 *  `fraction`; zero is never negative. */
export type Decimal = {
  readonly isNegative: boolean
  readonly whole: string
  readonly fraction: string
}

const NUMBER = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/**
 * A number as JSON writes it, also with a leading '+', leading zeros or a bare point ('.5', '5.').
 * null: not a number. 'beyond': a number that does not fit 38 digits on each side of the point.
 */
export function parseDecimal(text: string): Decimal | 'beyond' | null {
  const match = NUMBER.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const digits = whole + fraction
  const first = digits.search(/[1-9]/)
  if (first < 0) return { isNegative: false, whole: '', fraction: '' }
  const significant = trimEnd(digits.slice(first), '0')
  // Place of the point, counted from the first significant digit.
  const point = whole.length - first + Number(exponentText)
  if (point > MAX_EXACT_DIGITS || significant.length - point > MAX_EXACT_DIGITS) return 'beyond'
  return {
    isNegative: sign === '-',
    whole:
      point <= 0
        ? ''
        : significant.slice(0, point) + '0'.repeat(Math.max(0, point - significant.length)),
    fraction: point >= 0 ? significant.slice(point) : '0'.repeat(-point) + significant,
  }
}

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`; null when one is no
 *  number. */
export function compareDecimals(a: string, b: string): number | null {
  const left = parseDecimal(a)
  const right = parseDecimal(b)
  if (left === null || right === null) return null
  if (left === 'beyond' || right === 'beyond') {
    const [x, y] = [Number(a), Number(b)]
    return x < y ? -1 : x > y ? 1 : 0
  }
  if (left.isNegative !== right.isNegative) return left.isNegative ? -1 : 1
  const order = compareMagnitudes(left, right)
  return left.isNegative ? 0 - order : order
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.whole.length !== b.whole.length) return a.whole.length < b.whole.length ? -1 : 1
  const x = `${a.whole}.${a.fraction}`
  const y = `${b.whole}.${b.fraction}`
  // Equal lengths before the point: the order of the digits' text is the order of the values.
  return x < y ? -1 : x > y ? 1 : 0
}
