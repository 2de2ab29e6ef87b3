// A second pricing engine, for states that are valid but for the limit of discounts: in fractions,
// straight from the page docs/specification/9-portal.md, and without sentences.

import type { PricingCaller } from '../../../../schemas/portal/pricing/caller.ts'
import { currencyDigits } from '../../../../schemas/portal/pricing/currencies.ts'
import type { ManualDiscount, OfferState } from '../../../../schemas/portal/pricing/offer-state.ts'
import type { Price, PriceBook, Promotion } from '../../../../schemas/portal/pricing/price-book.ts'
import {
  addUp,
  type Fraction,
  isLess,
  least,
  minus,
  most,
  NOTHING,
  over,
  plus,
  print,
  read,
  round,
  times,
  whole,
} from './fraction.ts'
import { modelAmount } from './models.ts'

type Line = { readonly list: Fraction; readonly taken: Fraction[]; left: Fraction }

export type NaiveQuote = {
  readonly lines: readonly { list: string; discounts: string[]; net: string }[]
  readonly totals: Readonly<
    Record<'list' | 'discounts' | 'net' | 'tax' | 'creditsApplied' | 'due', string>
  >
}

/** Null: a discount is above the limit of the role. */
export function naiveQuote(
  book: PriceBook,
  state: OfferState,
  caller: PricingCaller,
  date: string,
): NaiveQuote | null {
  const currency = state.currency ?? caller.currency ?? book.currencies[0] ?? ''
  const digits = currencyDigits(currency) ?? 0
  const term = book.terms.find(({ id }) => id === state.term)
  const bySku = new Map(book.items.map((item) => [item.sku, item]))
  const percentOff = (amount: Fraction, percent: string) =>
    round(over(times(amount, read(percent)), whole(100)), digits)
  const take = (line: Line, amount: Fraction) => {
    line.taken.push(amount)
    line.left = minus(line.left, amount)
  }

  const lines = state.lines.map((asked) => {
    const item = bySku.get(asked.item)
    const region = state.region ?? caller.region
    const price = pickPrice(item?.prices ?? [], { ...caller, currency, region }, date)
    if (item === undefined || price === undefined) throw new Error(`no price of ${asked.item}`)
    const together = state.lines.filter(
      (line) => line.item === asked.item && (price.per === 'once' || isJoined(line, asked, state)),
    )
    const quantity = addUp(together.map((line) => read(line.quantity)))
    const transactions = together.flatMap((line) =>
      (line.transactions ?? [line.quantity]).map(read),
    )
    const raised = most(
      modelAmount(price.model, quantity, transactions),
      read(price.minimum ?? '0'),
    )
    const bound = price.maximum === null ? raised : least(raised, read(price.maximum))
    const months = term === undefined ? 1 : term.months
    const periods =
      price.per === 'once' || term === undefined
        ? whole(1)
        : over(whole(months), whole(price.per === 'year' ? 12 : 1))
    const exact = together.map((line, at) => {
      const part = price.per === 'once' ? whole(1) : partOf(line, state)
      const none = whole(at === 0 ? 1 : 0)
      const share = isLess(NOTHING, quantity) ? over(read(line.quantity), quantity) : none
      return times(times(times(bound, periods), part), share)
    })
    const upTo = (count: number) => round(addUp(exact.slice(0, count)), digits)
    const own = together.indexOf(asked)
    const list = minus(upTo(own + 1), upTo(own))
    const line: Line = { list, taken: [], left: list }
    const reached = item.volumeDiscounts.filter(({ from }) => !isLess(quantity, read(from))).at(-1)
    if (reached !== undefined && isLess(NOTHING, read(reached.percent)))
      take(line, percentOff(line.left, reached.percent))
    const termPercent = term?.discountPercent ?? '0'
    if (price.per !== 'once' && isLess(NOTHING, read(termPercent)))
      take(line, percentOff(line.left, termPercent))
    return line
  })

  for (const code of state.promotions ?? []) {
    const promotion = book.promotions.find((one) => one.code === code)
    if (promotion !== undefined) takePromotion(promotion)
  }
  const limit = limitOf(book, caller)
  const total = addUp(lines.map(({ left }) => left))
  const isAbove = state.lines.some(({ discount }, at) => {
    const ofOffer = percentsOf(state.discount, total)
    const ofLine = percentsOf(discount, lines[at]?.left ?? NOTHING)
    return ofOffer === null || ofLine === null || isLess(limit, plus(ofOffer, ofLine))
  })
  if (isAbove) return null
  lines.forEach((line, at) => {
    const discount = state.lines[at]?.discount
    if (discount?.kind === 'percent') take(line, percentOff(line.left, discount.value))
    if (discount?.kind === 'amount') take(line, read(discount.value))
  })
  if (state.discount?.kind === 'percent')
    for (const line of lines) take(line, percentOff(line.left, state.discount.value))
  if (state.discount?.kind === 'amount') share(lines, read(state.discount.value))
  return sums()

  function takePromotion({ off, items }: Promotion): void {
    const counted = lines.filter((_, at) => items?.includes(state.lines[at]?.item ?? '') ?? true)
    const bounds = off.kind === 'percent' ? off.max : off.amounts
    const bound = bounds.find((one) => one.currency === currency)?.amount
    if (off.kind === 'amount') {
      share(counted, read(bound ?? '0'))
      return
    }
    const wanted = counted.map(({ left }) => percentOff(left, off.percent))
    if (bound !== undefined && isLess(read(bound), addUp(wanted))) share(counted, read(bound))
    else for (const [at, line] of counted.entries()) take(line, wanted[at] ?? NOTHING)
  }

  /** The first lines together get their rounded part of it, for each number of first lines. */
  function share(counted: readonly Line[], wanted: Fraction): void {
    const whole = addUp(counted.map(({ left }) => left))
    const amount = least(wanted, whole)
    const upTo = counted.map((_, at) => {
      const first = addUp(counted.slice(0, at + 1).map(({ left }) => left))
      return isLess(NOTHING, whole) ? round(over(times(amount, first), whole), digits) : NOTHING
    })
    for (const [at, line] of counted.entries())
      take(line, minus(upTo[at] ?? NOTHING, upTo[at - 1] ?? NOTHING))
  }

  function sums(): NaiveQuote {
    const list = addUp(lines.map((line) => line.list))
    const net = addUp(lines.map(({ left }) => left))
    const taxes = (state.taxes ?? []).map(({ kind, value }) =>
      kind === 'percent' ? percentOff(net, value) : read(value),
    )
    const tax = addUp(taxes)
    const credits = addUp((state.credits ?? []).map(({ amount }) => read(amount)))
    const applied = least(credits, plus(net, tax))
    const say = (value: Fraction) => print(value, digits)
    return {
      lines: lines.map(({ list: before, taken, left }) => ({
        ...{ list: say(before), discounts: taken.map(say), net: say(left) },
      })),
      totals: {
        ...{ list: say(list), discounts: say(minus(list, net)), net: say(net), tax: say(tax) },
        ...{ creditsApplied: say(applied), due: say(minus(plus(net, tax), applied)) },
      },
    }
  }
}

type Buyer = { readonly channel: string | null; region: string | null; readonly currency: string }

function pickPrice(prices: readonly Price[], buyer: Buyer, date: string): Price | undefined {
  const rank = ({ channel, region }: Price) =>
    (channel === null ? 0 : 2) + (region === null ? 0 : 1)
  return prices
    .filter(({ currency }) => currency === buyer.currency)
    .filter(({ channel }) => channel === null || channel === buyer.channel)
    .filter(({ region }) => region === null || region === buyer.region)
    .filter(({ from, to }) => (from ?? '0000') <= date && date < (to ?? '9999'))
    .sort((a, b) => rank(b) - rank(a))[0]
}

/** Days of the two overlap, or are joined by those of further lines of the item. */
function isJoined(
  one: OfferState['lines'][number],
  other: OfferState['lines'][number],
  { lines, period }: OfferState,
): boolean {
  const touches = (a: typeof one, b: typeof one) =>
    (a.from ?? period?.from ?? '') < (b.to ?? period?.to ?? '~') &&
    (b.from ?? period?.from ?? '') < (a.to ?? period?.to ?? '~')
  const reached = new Set([one])
  for (const known of reached)
    for (const line of lines) if (line.item === one.item && touches(known, line)) reached.add(line)
  return reached.has(other)
}

function partOf(line: OfferState['lines'][number], { period }: OfferState): Fraction {
  if (period === undefined) return whole(1)
  const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
  const own = days(line.from ?? period.from, line.to ?? period.to)
  return over(whole(own), whole(days(period.from, period.to)))
}

/** As percent of the base; null: something off nothing. */
function percentsOf(discount: ManualDiscount | undefined, base: Fraction): Fraction | null {
  if (discount === undefined) return NOTHING
  const value = read(discount.value)
  if (discount.kind === 'percent' || !isLess(NOTHING, value))
    return discount.kind === 'percent' ? value : NOTHING
  return isLess(NOTHING, base) ? over(times(value, whole(100)), base) : null
}

function limitOf(book: PriceBook, { role, channel }: PricingCaller): Fraction {
  const limits = book.discountLimits.filter((one) => one.role === role)
  const own = limits.find((one) => one.channel !== null && one.channel === channel)
  return read((own ?? limits.find((one) => one.channel === null))?.percent ?? '0')
}
