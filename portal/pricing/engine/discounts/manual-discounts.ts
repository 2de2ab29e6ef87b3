// Discounts given by hand, off a line and off the whole offer, within the limit of the role.
import type { ManualDiscount, OfferState } from '../../../../schemas/portal/pricing/offer-state.ts'
import type { PricingError } from '../../../../schemas/portal/pricing/quote.ts'
import { type Decimal, decimal, HUNDRED, sum, ZERO } from '../decimal.ts'
import { refusal } from '../place.ts'
import { type Currency, sayMoney, sayPercent } from '../words.ts'
import { type OpenLine, percentOf, shareOut, takeOff } from './open-line.ts'

/**
 * What of the discounts is above the limit. A discount counts as percent of what is left after the
 * discounts of the price book, and that of the line and that of the offer count together. Compared
 * without a division, so exactly.
 */
export function checkLimit(
  lines: readonly OpenLine[],
  { discount }: OfferState,
  limit: Decimal,
): readonly PricingError[] {
  const may = limit.isZero()
    ? 'you may not take off anything'
    : `you may take off at most ${sayPercent(limit)}`
  const total = sum(lines.map(({ left }) => left))
  const say = (what: string, path: string) =>
    refusal('discount_above_limit', `${what}: ${may}`, path)
  const ofOffer = shareOf(discount, total)
  const errors: PricingError[] = []
  if (isAbove([ofOffer], limit))
    errors.push(say('the discount of the offer is too high', '/discount'))
  lines.forEach((line, at) => {
    const ofLine = shareOf(line.asked.discount, line.left)
    const path = `/lines/${at}/discount`
    if (line.asked.discount === undefined) return
    if (isAbove([ofLine], limit)) errors.push(say('the discount of the line is too high', path))
    else if (!isAbove([ofOffer], limit) && isAbove([ofLine, ofOffer], limit))
      errors.push(say('with that of the offer, the discount of the line is too high', path))
  })
  return errors
}

/** A part of 1 as a fraction. */
type Share = { readonly part: Decimal; readonly whole: Decimal }

function shareOf(discount: ManualDiscount | undefined, base: Decimal): Share {
  if (discount === undefined) return { part: ZERO, whole: HUNDRED }
  const value = decimal(discount.value)
  return discount.kind === 'percent'
    ? { part: value, whole: HUNDRED }
    : { part: value, whole: base }
}

/** Whether the sum of the shares is above so many percent. All of nothing is above every limit. */
function isAbove(shares: readonly Share[], limit: Decimal): boolean {
  if (shares.some(({ part, whole }) => whole.isZero() && part.gt(ZERO))) return true
  const counted = shares.filter(({ part }) => part.gt(ZERO))
  const product = (values: readonly Decimal[]) =>
    values.reduce((all, one) => all.times(one), HUNDRED)
  const wholes = counted.map(({ whole }) => whole)
  const parts = counted.map(({ part }, at) =>
    part.times(product(wholes.filter((_, i) => i !== at))),
  )
  return sum(parts).gt(product(wholes).times(limit).shiftedBy(-2))
}

export function takeManualDiscounts(
  lines: readonly OpenLine[],
  { discount }: OfferState,
  money: Currency,
): readonly OpenLine[] {
  const afterOwn = lines.map((line) => {
    const own = line.asked.discount
    if (own === undefined) return line
    const value = decimal(own.value)
    const amount = own.kind === 'percent' ? percentOf(line.left, value, money) : value
    return takeOff(line, { source: 'line', ...nameOf(own, 'Discount', money) }, amount, money)
  })
  if (discount === undefined) return afterOwn
  const value = decimal(discount.value)
  const weights = afterOwn.map(({ left }) => left)
  const amounts =
    discount.kind === 'percent'
      ? weights.map((left) => percentOf(left, value, money))
      : shareOut(value, weights, money)
  const named = nameOf(discount, 'Discount of the offer', money)
  return afterOwn.map((line, at) =>
    takeOff(line, { source: 'offer', ...named }, amounts[at] ?? ZERO, money),
  )
}

function nameOf(discount: ManualDiscount, what: string, money: Currency) {
  const value = decimal(discount.value)
  const size = discount.kind === 'percent' ? sayPercent(value) : `${sayMoney(value, money)}`
  const name = `${what} of ${size}`
  return { name, reason: discount.reason === undefined ? name : `${name} (${discount.reason})` }
}
