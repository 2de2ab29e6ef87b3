// Numbers and names in the sentences that a buyer reads.
import type { PricedUnit } from '../../../schemas/portal/pricing/price-book.ts'
import { type Decimal, digitsAfterPoint } from './decimal.ts'

/** A currency and the digits after its point. */
export type Currency = { readonly code: string; readonly digits: number }

/** As answers carry it: `12.00`, exactly the digits of the currency. The value has no more. */
export function printMoney(value: Decimal, currency: Currency): string {
  return value.toFixed(currency.digits)
}

/** `1,234.50 USD`: at least the digits of the currency, more if the value has them. */
export function sayMoney(value: Decimal, currency: Currency): string {
  const isFiner = digitsAfterPoint(value) > currency.digits
  return `${group(isFiner ? value.toFixed() : value.toFixed(currency.digits))} ${currency.code}`
}

/** `1,234.5` */
export function sayNumber(value: Decimal): string {
  return group(value.toFixed())
}

/** `20 users`, `1 user`. */
export function sayQuantity(quantity: Decimal, unit: PricedUnit): string {
  return `${sayNumber(quantity)} ${quantity.eq('1') ? unit.one : unit.many}`
}

/** `2.5 %` */
export function sayPercent(percent: Decimal): string {
  return `${sayNumber(percent)} %`
}

/** Commas between thousands. */
function group(text: string): string {
  const point = text.indexOf('.')
  const end = point < 0 ? text.length : point
  let at = end - 3
  if (at <= 0) return text
  let grouped = text.slice(at)
  for (; at > 3; at -= 3) grouped = `${text.slice(at - 3, at)},${grouped}`
  return `${text.slice(0, at)},${grouped}`
}
