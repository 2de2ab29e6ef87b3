// Discounts that the price book gives by itself: by quantity and by term.
import type { PriceBookTerm } from '../../../../schemas/portal/pricing/price-book.ts'
import { decimal } from '../decimal.ts'
import { type Currency, sayPercent, sayQuantity } from '../words.ts'
import { type OpenLine, percentOf, takeOff } from './open-line.ts'

export function takeVolumeDiscount(line: OpenLine, currency: Currency): OpenLine {
  const reached = line.item.volumeDiscounts.findLast(({ from }) => line.quantity.gte(decimal(from)))
  if (reached === undefined) return line
  const percent = decimal(reached.percent)
  if (percent.isZero()) return line
  const name = `Volume discount of ${sayPercent(percent)}`
  const reason = `${name} from ${sayQuantity(decimal(reached.from), line.item.unit)} on`
  const amount = percentOf(line.left, percent, currency)
  return takeOff(line, { source: 'volume', name, reason }, amount, currency)
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
