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
import {
  type Decimal,
  decimal,
  isMultiple,
  roundedQuotient,
  sum,
  wholeDecimal,
  ZERO,
} from './decimal.ts'
import type { OpenLine } from './discounts/open-line.ts'
import { checkPeriodOfPrice, MONTHS_OF, sayMonths } from './duration.ts'
import { groupOf, type LineGroup } from './group-lines.ts'
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
  const group = groupOf(context.state, at, price.per === 'once')
  const errors = [
    ...checkQuantity(line, item, group, path),
    ...checkTransactions(line, price, path),
    ...checkDates(line, context.state, path),
    ...checkPeriodOfPrice(context.state, context.term, price, path),
    ...checkOtherItems(item, context, path),
  ]
  return errors.length > 0 ? errors : listLine(line, group, item, price, context)
}

export function isListed(line: ListedLine | readonly PricingError[]): line is ListedLine {
  return 'asked' in line
}

function listLine(
  asked: OfferLine,
  group: LineGroup,
  item: PriceBookItem,
  price: Price,
  { place, state, term }: Context,
): ListedLine {
  const { money } = place
  const quantity = decimal(asked.quantity)
  const input = { ...group, unit: item.unit, currency: money }
  const { amount, unitPrice, sentences } = priceAmount(price, input)
  const periods = periodsOf(price, term)
  const isOnce = price.per === 'once'
  const part = isOnce ? null : daysOf(asked, state)
  // The group costs `whole`, of which each line bears `weight`; the rounded parts add up.
  const own = group.lines.indexOf(asked)
  const sums = weightSums(group, isOnce, state)
  const whole = amount.times(wholeDecimal(periods.months))
  const denominator = wholeDecimal(periods.monthsEach)
    .times(wholeDecimal(isOnce ? 1 : daysOfPeriod(state)))
    .times(group.quantity.isZero() ? '1' : group.quantity)
  const upTo = (count: number) =>
    roundedQuotient(whole.times(sums[count] ?? ZERO), denominator, money.digits)
  const list = upTo(own + 1).minus(upTo(own))
  const isExact = list
    .times(denominator)
    .eq(whole.times((sums[own + 1] ?? ZERO).minus(sums[own] ?? ZERO)))
  const how = [
    ...(price.channel === null ? [] : ['The price of your channel counts.']),
    ...sayGroup(group, sentences, quantity, item),
    ...sayPeriods(price, periods),
    ...(part === null ? [] : [`For ${part.days} of ${part.periodDays} days.`]),
  ]
  const result = `The list price is ${sayMoney(list, money)}${isExact ? '' : ', rounded'}.`
  const explanation = [...how, result]
  const rest = { unitPrice, part, periods, explanation, pricedQuantity: group.quantity }
  return { ...rest, asked, quantity, item, price, list, left: list, discounts: [] }
}

const WEIGHT_SUMS = new WeakMap<LineGroup, readonly Decimal[]>()

/** Of the first lines of a group, for each count of them from 0 on. */
function weightSums(group: LineGroup, isOnce: boolean, state: OfferState): readonly Decimal[] {
  const known = WEIGHT_SUMS.get(group)
  if (known !== undefined) return known
  const sums = [ZERO]
  for (const [at, line] of group.lines.entries())
    sums.push((sums[at] ?? ZERO).plus(weightOf(line, at, group, isOnce, state)))
  WEIGHT_SUMS.set(group, sums)
  return sums
}

/** Units times days. Where nothing is bought, the first line bears what is charged anyway. */
function weightOf(
  line: OfferLine,
  at: number,
  group: LineGroup,
  isOnce: boolean,
  state: OfferState,
): Decimal {
  const units = group.quantity.isZero() ? wholeDecimal(at === 0 ? 1 : 0) : decimal(line.quantity)
  const days = isOnce ? 1 : (daysOf(line, state)?.days ?? daysOfPeriod(state))
  return units.times(wholeDecimal(days))
}

function sayGroup(
  group: LineGroup,
  sentences: readonly string[],
  quantity: Decimal,
  { unit }: PriceBookItem,
): readonly string[] {
  if (group.lines.length === 1) return sentences
  const all = sayQuantity(group.quantity, unit)
  return [
    `Priced together with the other lines of this item: ${all}.`,
    ...sentences,
    `This line bears the share of its ${sayQuantity(quantity, unit)}.`,
  ]
}

/** Without a term one period; what is paid once has one. */
function periodsOf({ per }: Price, term: PriceBookTerm | null): Periods {
  const monthsEach = MONTHS_OF[per] ?? 1
  const months = term === null || per === 'once' ? monthsEach : term.months
  return { months, monthsEach }
}

function sayPeriods({ per }: Price, { months, monthsEach }: Periods): string[] {
  if (per === 'once') return []
  if (months === monthsEach) return [`This is for ${sayMonths(months)}.`]
  return [`This is for ${sayMonths(monthsEach)}; the term has ${sayMonths(months)}.`]
}

function daysOfPeriod({ period }: OfferState): number {
  return period === undefined ? 1 : (parseDate(period.to) ?? 0) - (parseDate(period.from) ?? 0)
}

function daysOf(line: OfferLine, state: OfferState): Days | null {
  const { period } = state
  if (period === undefined) return null
  const day = (text: string) => parseDate(text) ?? 0
  const periodDays = daysOfPeriod(state)
  const days = day(line.to ?? period.to) - day(line.from ?? period.from)
  return days === periodDays ? null : { days, periodDays }
}

function checkQuantity(
  line: OfferLine,
  item: PriceBookItem,
  group: LineGroup,
  path: string,
): PricingError[] {
  const { min, max, step } = item.quantity
  const { quantity } = group
  // What is wrong with the whole is said once.
  const isLast = group.lines.at(-1) === line
  const isBelow = quantity.lt(decimal(min))
  if (isLast && (isBelow || (max !== null && quantity.gt(decimal(max))))) {
    const most = max === null ? '' : ` and at most ${sayQuantity(decimal(max), item.unit)}`
    const range = `at least ${sayQuantity(decimal(min), item.unit)}${most}`
    const message = `"${item.sku}" is sold in quantities of ${range}`
    return [refusal('quantity_out_of_range', message, `${path}/quantity`)]
  }
  if (step === null || isMultiple(decimal(line.quantity), decimal(step))) return []
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
