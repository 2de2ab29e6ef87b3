// Credits inside the ledger: whole numbers of 10^-12, so that sums are exact. Outside they are
// decimal texts (docs/decisions/0058).
import { trimEnd } from '../../../schemas/names/trim-end.ts'

const DIGITS = 12
const UNIT = 10n ** BigInt(DIGITS)
const MAX_WHOLE_DIGITS = 18
/** A shown amount has at least so many digits after the point. */
const SHOWN_DIGITS = 2
const TEXT = new RegExp(`^(\\d{1,${MAX_WHOLE_DIGITS}})(?:\\.(\\d{1,${DIGITS}}))?$`)
const GIB = 2n ** 30n

/** Undefined: not a decimal number of at most 18 digits before the point and 12 after it, or less
 *  than zero. */
export function parseAmount(text: string): bigint | undefined {
  const match = TEXT.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole) * UNIT + BigInt(fraction.padEnd(DIGITS, '0'))
}

/** Of an amount that this ledger has printed or checked; it may be less than zero. */
export function readAmount(text: string): bigint {
  const isNegative = text.startsWith('-')
  const amount = parseAmount(isNegative ? text.slice(1) : text)
  if (amount === undefined) throw new Error('an amount that no ledger has printed')
  return isNegative ? -amount : amount
}

/** One text for each amount: `12.50`, `-0.001`. */
export function printAmount(amount: bigint): string {
  const size = amount < 0n ? -amount : amount
  const fraction = String(size % UNIT).padStart(DIGITS, '0')
  const shown = fraction.slice(0, SHOWN_DIGITS) + trimEnd(fraction.slice(SHOWN_DIGITS), '0')
  return `${amount < 0n ? '-' : ''}${size / UNIT}.${shown}`
}

/** What bytes cost at a price for a GiB (2^30 bytes), rounded half to even in the twelfth digit. */
export function priceOfBytes(bytes: number, pricePerGib: bigint): bigint {
  const product = BigInt(Math.round(bytes)) * pricePerGib
  const [whole, rest] = [product / GIB, product % GIB]
  const isUp = rest * 2n > GIB || (rest * 2n === GIB && whole % 2n === 1n)
  return isUp ? whole + 1n : whole
}
