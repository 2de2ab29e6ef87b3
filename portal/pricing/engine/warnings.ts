// What a buyer may not expect of a quote that is right.
import type { PriceBookTerm } from '../../../schemas/portal/pricing/price-book.ts'
import type { PricingWarning } from '../../../schemas/portal/pricing/quote.ts'
import { type Decimal, decimal, isMultiple, nextMultiple } from './decimal.ts'
import { volumePercent } from './discounts/book-discounts.ts'
import { priceAmount } from './models/price-amount.ts'
import type { ListedLine } from './price-line.ts'
import { type Currency, sayMoney, sayQuantity } from './words.ts'

export function findWarnings(
  lines: readonly ListedLine[],
  term: PriceBookTerm | null,
  money: Currency,
): PricingWarning[] {
  const periods = new Set(lines.map(({ price }) => price.per).filter((per) => per !== 'once'))
  const mixed: PricingWarning[] = [
    {
      code: 'mixed_periods',
      message: 'prices by month and by year are added up: name a term to compare them',
      path: '',
    },
  ]
  const isMixed = term === null && periods.size > 1
  return [
    ...(isMixed ? mixed : []),
    ...lines.flatMap((line, at) => moreCostsLess(line, at, lines, money)),
  ]
}

/** All units become cheaper at the next tier of a volume price and at the next volume discount. */
function moreCostsLess(
  line: ListedLine,
  at: number,
  lines: readonly ListedLine[],
  money: Currency,
): PricingWarning[] {
  const { item, pricedQuantity } = line
  // Said once for lines that are priced together.
  const isSaid = lines
    .slice(0, at)
    .some((other) => other.item === item && other.pricedQuantity.eq(pricedQuantity))
  if (isSaid) return []
  const now = amountOf(line, pricedQuantity, money)
  for (const quantity of nextQuantities(line)) {
    const then = amountOf(line, quantity, money)
    if (then.gte(now)) continue
    const message = `${sayQuantity(quantity, item.unit)} cost less (${sayMoney(then, money)}) than these (${sayMoney(now, money)})`
    return [{ code: 'more_costs_less', message, path: `/lines/${at}/quantity` }]
  }
  return []
}

/** The least quantities that are sold in a later tier or at a further volume discount. */
function nextQuantities({ item, price, pricedQuantity }: ListedLine): Decimal[] {
  const { model } = price
  const { max, step } = item.quantity
  const ends = model.kind === 'volume' ? model.tiers.flatMap(({ upTo }) => upTo ?? []) : []
  const tiers = ends
    .filter((upTo) => pricedQuantity.lte(decimal(upTo)))
    // The first quantity above the end; without steps, one unit above it.
    .map((upTo) =>
      step === null ? decimal(upTo).plus('1') : nextMultiple(decimal(upTo), decimal(step)),
    )
  const discounts = item.volumeDiscounts
    .map(({ from }) => decimal(from))
    .filter((from) => from.gt(pricedQuantity))
    .map((from) =>
      step === null || isMultiple(from, decimal(step)) ? from : nextMultiple(from, decimal(step)),
    )
  return [...tiers, ...discounts]
    .filter((quantity) => max === null || quantity.lte(decimal(max)))
    .sort((a, b) => (a.lt(b) ? -1 : 1))
}

/** Of one period, less the volume discount. */
function amountOf({ item, price }: ListedLine, quantity: Decimal, currency: Currency): Decimal {
  const input = { transactions: [quantity], unit: item.unit, currency }
  const { amount } = priceAmount(price, { ...input, quantity })
  const percent = volumePercent(item, quantity)
  return amount.minus(amount.times(percent).shiftedBy(-2))
}
