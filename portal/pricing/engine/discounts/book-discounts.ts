// Discounts that the price book gives by itself: by quantity and by term.
import type { PriceBookItem, PriceBookTerm } from '../../../../schemas/portal/pricing/price-book.ts'
import { type Decimal, decimal } from '../decimal.ts'
import { type Currency, sayPercent, sayQuantity } from '../words.ts'
import { type OpenLine, percentOf, takeOff } from './open-line.ts'

export function takeVolumeDiscount(line: OpenLine, currency: Currency): OpenLine {
  const reached = reachedDiscount(line.item, line.pricedQuantity)
  const percent = volumePercent(line.item, line.pricedQuantity)
  if (reached === undefined || percent.isZero()) return line
  const name = `Volume discount of ${sayPercent(percent)}`
  const reason = `${name} from ${sayQuantity(decimal(reached.from), line.item.unit)} on`
  const amount = percentOf(line.left, percent, currency)
  return takeOff(line, { source: 'volume', name, reason }, amount, currency)
}

export function volumePercent(item: PriceBookItem, quantity: Decimal): Decimal {
  return decimal(reachedDiscount(item, quantity)?.percent ?? '0')
}

function reachedDiscount({ volumeDiscounts }: PriceBookItem, quantity: Decimal) {
  return volumeDiscounts.findLast(({ from }) => quantity.gte(decimal(from)))
}

/** Not for what is paid once. */
export function takeTermDiscount(
  line: OpenLine,
  term: PriceBookTerm | null,
  currency: Currency,
): OpenLine {
  if (term === null || line.price.per === 'once') return line
  const percent = decimal(term.discountPercent)
  if (percent.isZero()) return line
  const name = `Discount of ${sayPercent(percent)} for the term`
  const reason = `${name} "${term.name}"`
  const amount = percentOf(line.left, percent, currency)
  return takeOff(line, { source: 'term', name, reason }, amount, currency)
}
