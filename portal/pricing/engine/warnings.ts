// What a buyer may not expect of a quote that is right.
import type { PriceBookTerm } from '../../../schemas/portal/pricing/price-book.ts'
import type { PricingWarning } from '../../../schemas/portal/pricing/quote.ts'
import { decimal } from './decimal.ts'
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
  return [...(isMixed ? mixed : []), ...lines.flatMap((line, at) => moreCostsLess(line, at, money))]
}

/** With a volume price all units become cheaper at the next tier. */
function moreCostsLess(line: ListedLine, at: number, money: Currency): PricingWarning[] {
  const { price, item, quantity } = line
  if (price.model.kind !== 'volume') return []
  const end = price.model.tiers.find(({ upTo }) => upTo !== null && quantity.lte(decimal(upTo)))
  const next = decimal(end?.upTo ?? '0').plus('1')
  const { max, step } = item.quantity
  const isSold = (max === null || next.lte(decimal(max))) && (step === null || step === '1')
  if (end === undefined || !isSold) return []
  const input = { transactions: [], unit: item.unit, currency: money }
  const now = priceAmount(price, { ...input, quantity }).amount
  const then = priceAmount(price, { ...input, quantity: next }).amount
  if (then.gte(now)) return []
  const message = `${sayQuantity(next, item.unit)} cost less (${sayMoney(then, money)}) than these (${sayMoney(now, money)})`
  return [{ code: 'more_costs_less', message, path: `/lines/${at}/quantity` }]
}
