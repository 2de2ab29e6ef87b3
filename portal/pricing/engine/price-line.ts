// A line of an offer up to its list price: item, quantity, days, the model, the periods.
import type { OfferLine, OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import type {
  Price,
  PriceBookItem,
  PriceBookTerm,
} from '../../../schemas/portal/pricing/price-book.ts'
import type { PricingError } from '../../../schemas/portal/pricing/quote.ts'
import { parseDate } from '../../../schemas/portal/pricing/values.ts'
import { choosePrice } from './choose-price.ts'
import { type Decimal, decimal, isMultiple, roundedQuotient, sum, wholeDecimal } from './decimal.ts'
import type { OpenLine } from './discounts/open-line.ts'
import { priceAmount } from './models/price-amount.ts'
import { type Place, refusal } from './place.ts'
import type { BookView } from './view.ts'
import { sayMoney, sayNumber, sayQuantity } from './words.ts'

/** Of a line that is for a part of the period. */
export type Days = { readonly days: number; readonly periodDays: number }

export type ListedLine = OpenLine & {
  readonly unitPrice: Decimal | null
  /** Null: for the whole period. */
  readonly part: Days | null
  readonly periods: Periods
}

/** Months of the term, and months of one period of the price: 12 and 1 are twelve periods. */
type Periods = { readonly months: number; readonly monthsEach: number }

type Context = {
  readonly view: BookView
  readonly place: Place
  readonly state: OfferState
  readonly term: PriceBookTerm | null
}

/** The line with its list price, or what is wrong with it. */
export function priceLine(
  line: OfferLine,
  at: number,
  context: Context,
): ListedLine | readonly PricingError[] {
  const path = `/lines/${at}`
  const { view, place } = context
  const item = view.items.get(line.item)
  if (item === undefined) {
    const message = `there is no item "${line.item}": the catalog lists the items`
    return [refusal('unknown_item', message, `${path}/item`)]
  }
  const price = choosePrice(item, place)
  if (price === undefined) {
    const where = place.region === null ? '' : ` for the region "${place.region}"`
    const message = `"${line.item}" has no price in ${place.currency}${where}: the catalog lists what has`
    return [refusal('no_price', message, `${path}/item`)]
  }
  const errors = [
    ...checkQuantity(line, item, path),
    ...checkTransactions(line, price, path),
    ...checkDates(line, context.state, path),
    ...checkOtherItems(item, context, path),
  ]
  return errors.length > 0 ? errors : listLine(line, item, price, context)
}

export function isListed(line: ListedLine | readonly PricingError[]): line is ListedLine {
  return 'asked' in line
}

function listLine(
  asked: OfferLine,
  item: PriceBookItem,
  price: Price,
  { place, state, term }: Context,
): ListedLine {
  const { money } = place
  const quantity = decimal(asked.quantity)
  const transactions = asked.transactions?.map(decimal) ?? [quantity]
  const input = { quantity, transactions, unit: item.unit, currency: money }
  const { amount, unitPrice, sentences } = priceAmount(price, input)
  const periods = periodsOf(price, term)
  const part = price.per === 'once' ? null : daysOf(asked, state)
  const { days, periodDays } = part ?? { days: 1, periodDays: 1 }
  const numerator = amount.times(wholeDecimal(periods.months)).times(wholeDecimal(days))
  const denominator = wholeDecimal(periods.monthsEach).times(wholeDecimal(periodDays))
  const list = roundedQuotient(numerator, denominator, money.digits)
  const isExact = list.times(denominator).eq(numerator)
  const how = [
    ...(price.channel === null ? [] : ['The price of your channel counts.']),
    ...sentences,
    ...sayPeriods(price, periods),
    ...(part === null ? [] : [`For ${days} of ${periodDays} days.`]),
  ]
  const result = `The list price is ${sayMoney(list, money)}${isExact ? '' : ', rounded'}.`
  const explanation = [...how, result]
  const rest = { unitPrice, part, periods, explanation }
  return { ...rest, asked, quantity, item, price, list, left: list, discounts: [] }
}

/** Without a term one period; what is paid once has one. */
function periodsOf({ per }: Price, term: PriceBookTerm | null): Periods {
  const monthsEach = per === 'year' ? 12 : 1
  const months = term === null || per === 'once' ? monthsEach : term.months
  return { months, monthsEach }
}

function sayPeriods({ per }: Price, { months, monthsEach }: Periods): string[] {
  if (months === monthsEach) return []
  if (per === 'month') return [`This is for a month; the term has ${months}.`]
  const name = months === 1 ? 'month' : 'months'
  return [`This is for a year; the term has ${months} ${name}.`]
}

function daysOf(line: OfferLine, { period }: OfferState): Days | null {
  if (period === undefined) return null
  const day = (text: string) => parseDate(text) ?? 0
  const periodDays = day(period.to) - day(period.from)
  const days = day(line.to ?? period.to) - day(line.from ?? period.from)
  return days === periodDays ? null : { days, periodDays }
}

function checkQuantity(line: OfferLine, item: PriceBookItem, path: string): PricingError[] {
  const quantity = decimal(line.quantity)
  const { min, max, step } = item.quantity
  const isBelow = quantity.lt(decimal(min))
  if (isBelow || (max !== null && quantity.gt(decimal(max)))) {
    const most = max === null ? '' : ` and at most ${sayQuantity(decimal(max), item.unit)}`
    const range = `at least ${sayQuantity(decimal(min), item.unit)}${most}`
    const message = `"${item.sku}" is sold in quantities of ${range}`
    return [refusal('quantity_out_of_range', message, `${path}/quantity`)]
  }
  if (step === null || isMultiple(quantity, decimal(step))) return []
  const message = `"${item.sku}" is sold in steps of ${sayQuantity(decimal(step), item.unit)}`
  return [refusal('quantity_between_steps', message, `${path}/quantity`)]
}

function checkTransactions(line: OfferLine, { model }: Price, path: string): PricingError[] {
  const { transactions } = line
  if (transactions === undefined) return []
  const at = `${path}/transactions`
  if (model.kind !== 'percentage') {
    const message = `"${line.item}" is not priced by transactions: leave them out`
    return [refusal('transactions_not_expected', message, at)]
  }
  const total = sum(transactions.map(decimal))
  if (total.eq(decimal(line.quantity))) return []
  const message = `the transactions add up to ${sayNumber(total)}: the quantity must be the same`
  return [refusal('transactions_do_not_add_up', message, at)]
}

function checkDates(line: OfferLine, { period }: OfferState, path: string): PricingError[] {
  if (line.from === undefined && line.to === undefined) return []
  if (period === undefined) {
    const message = 'a line with days of its own needs the period of the offer'
    return [refusal('period_missing', message, '/period')]
  }
  const from = line.from ?? period.from
  const to = line.to ?? period.to
  if (from >= to) {
    const message = 'the line ends before it begins: "to" is the first day after it'
    return [refusal('dates_out_of_order', message, path)]
  }
  if (from >= period.from && to <= period.to) return []
  const message = `the days of the line lie outside the period ${period.from} to ${period.to}`
  return [refusal('dates_outside_period', message, path)]
}

function checkOtherItems(item: PriceBookItem, { state }: Context, path: string): PricingError[] {
  const offered = new Set(state.lines.map((line) => line.item))
  const missing = item.requires.filter((sku) => !offered.has(sku))
  const against = item.excludes.filter((sku) => offered.has(sku))
  return [
    ...missing.map((sku) =>
      refusal('item_missing', `"${item.sku}" needs "${sku}" in the same offer`, `${path}/item`),
    ),
    ...against.map((sku) => {
      const message = `"${item.sku}" and "${sku}" cannot be in the same offer: remove one`
      return refusal('items_exclude_each_other', message, `${path}/item`)
    }),
  ]
}
