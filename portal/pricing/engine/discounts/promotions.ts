// Codes of the price book that a buyer gives.

import type { OfferState } from '../../../../schemas/portal/pricing/offer-state.ts'
import type { Promotion } from '../../../../schemas/portal/pricing/price-book.ts'
import type { PricingError } from '../../../../schemas/portal/pricing/quote.ts'
import { isInForce } from '../choose-price.ts'
import { decimal, sum } from '../decimal.ts'
import { type Place, refusal } from '../place.ts'
import type { BookView } from '../view.ts'
import { sayMoney, sayPercent } from '../words.ts'
import { type OpenLine, percentOf, shareOut, takeOff } from './open-line.ts'

/** Promotions of the state that count, in its order. One text for each reason why one does not:
 *  nobody learns that a code exists. */
export function findPromotions(
  view: BookView,
  state: OfferState,
  place: Place,
): { readonly promotions: readonly Promotion[]; readonly errors: readonly PricingError[] } {
  const promotions: Promotion[] = []
  const errors: PricingError[] = []
  const codes = state.promotions ?? []
  codes.forEach((code, at) => {
    const path = `/promotions/${at}`
    const promotion = view.promotions.get(code)
    if (codes.indexOf(code) !== at) {
      errors.push(refusal('promotion_repeated', `"${code}" counts once: give it once`, path))
    } else if (promotion === undefined || !isUsable(promotion, state, place)) {
      const message = `the promotion "${code}" is not valid for this offer: leave it out`
      errors.push(refusal('promotion_not_valid', message, path))
    } else {
      promotions.push(promotion)
    }
  })
  return { promotions, errors }
}

function isUsable(promotion: Promotion, { lines }: OfferState, place: Place): boolean {
  const { off, items } = promotion
  if (!isInForce(promotion, place.date)) return false
  if (items !== null && !lines.some(({ item }) => items.includes(item))) return false
  return off.kind === 'percent' || off.amounts.some(({ currency }) => currency === place.currency)
}

export function takePromotion(
  lines: readonly OpenLine[],
  promotion: Promotion,
  { money }: Place,
): readonly OpenLine[] {
  const { off, items, name } = promotion
  const counts = (line: OpenLine) => items === null || items.includes(line.item.sku)
  const weights = lines.map((line) => line.left.times(counts(line) ? '1' : '0'))
  const limits = off.kind === 'percent' ? off.max : off.amounts
  const given = limits.find(({ currency }) => currency === money.code)?.amount
  const limit = given === undefined ? null : decimal(given)
  const percent = off.kind === 'percent' ? decimal(off.percent) : null
  const wanted = percent === null ? null : weights.map((left) => percentOf(left, percent, money))
  const isCut = limit !== null && (wanted === null || sum(wanted).gt(limit))
  const amounts = isCut ? shareOut(limit, weights, money) : (wanted ?? [])
  const shared = limit === null ? '' : `${sayMoney(limit, money)} shared by all lines`
  const how = isCut ? shared : sayPercent(percent ?? decimal('0'))
  return lines.map((line, at) => {
    const amount = amounts[at]
    if (!counts(line) || amount === undefined) return line
    const reason = `Promotion "${name}" (${how})`
    return takeOff(line, { source: 'promotion', name, reason }, amount, money)
  })
}
