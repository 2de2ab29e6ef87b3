// A line between its list price and its net price: discounts are taken one after the other, each
// from what the ones before it left, each rounded to the digits of the currency.

import type { OfferLine } from '../../../../schemas/portal/pricing/offer-state.ts'
import type { Price, PriceBookItem } from '../../../../schemas/portal/pricing/price-book.ts'
import type { DiscountTaken } from '../../../../schemas/portal/pricing/quote.ts'
import { type Decimal, HUNDRED, roundedQuotient, ZERO } from '../decimal.ts'
import { type Currency, printMoney, sayMoney } from '../words.ts'

export type OpenLine = {
  readonly asked: OfferLine
  readonly quantity: Decimal
  /** Of all lines that are priced together with it. */
  readonly pricedQuantity: Decimal
  readonly item: PriceBookItem
  readonly price: Price
  readonly list: Decimal
  /** List less the discounts so far; never below 0. */
  readonly left: Decimal
  readonly discounts: readonly DiscountTaken[]
  readonly explanation: readonly string[]
}

export type Discount = {
  readonly source: DiscountTaken['source']
  readonly name: string
  /** Why, as the beginning of a sentence: `Volume discount of 5 %`. */
  readonly reason: string
}

/** `amount` has the digits of the currency and is at most what is left. */
export function takeOff(
  line: OpenLine,
  discount: Discount,
  amount: Decimal,
  currency: Currency,
): OpenLine {
  const { source, name, reason } = discount
  const left = line.left.minus(amount)
  const after = `${sayMoney(amount, currency)} less, ${sayMoney(left, currency)} left`
  return {
    ...line,
    left,
    discounts: [...line.discounts, { source, name, amount: printMoney(amount, currency) }],
    explanation: [...line.explanation, `${reason}: ${after}.`],
  }
}

export function percentOf(amount: Decimal, percent: Decimal, currency: Currency): Decimal {
  return roundedQuotient(amount.times(percent), HUNDRED, currency.digits)
}

/**
 * Shares of an amount by weights, in whole units of the currency; they add up to the amount, or to
 * the sum of the weights where that is less, and none exceeds its weight.
 */
export function shareOut(
  amount: Decimal,
  weights: readonly Decimal[],
  currency: Currency,
): readonly Decimal[] {
  const total = weights.reduce((sum, weight) => sum.plus(weight), ZERO)
  if (total.isZero()) return weights.map(() => ZERO)
  const shared = amount.lt(total) ? amount : total
  let weightSoFar = ZERO
  let sharedSoFar = ZERO
  return weights.map((weight) => {
    weightSoFar = weightSoFar.plus(weight)
    const upToHere = roundedQuotient(shared.times(weightSoFar), total, currency.digits)
    const share = upToHere.minus(sharedSoFar)
    sharedSoFar = upToHere
    return share
  })
}
