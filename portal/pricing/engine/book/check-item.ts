// What an item of a price book must hold beyond its shape.
import type {
  Price,
  PriceBook,
  PriceBookItem,
} from '../../../../schemas/portal/pricing/price-book.ts'
import { decimal, HUNDRED, ZERO } from '../decimal.ts'
import { type BookProblem, findUnknown, problem } from './book-problem.ts'
import { checkModel, checkOrder } from './check-model.ts'

/** Names that the book defines. */
export type KnownNames = {
  readonly currencies: ReadonlySet<string>
  readonly regions: ReadonlySet<string>
  readonly channels: ReadonlySet<string>
  readonly items: ReadonlyMap<string, PriceBookItem>
}

export function checkItem(item: PriceBookItem, path: string, known: KnownNames): BookProblem[] {
  return [
    ...checkReferences(item, path, known),
    ...checkQuantity(item, `${path}/quantity`),
    ...checkVolumeDiscounts(item, `${path}/volumeDiscounts`),
    ...item.prices.flatMap((price, at) => checkPrice(price, `${path}/prices/${at}`, known)),
    ...checkOverlaps(item.prices, `${path}/prices`),
  ]
}

export function checkPercent(percent: string, path: string): BookProblem[] {
  return decimal(percent).lte(HUNDRED)
    ? []
    : [problem(path, 'at most 100 percent can be taken off')]
}

export function checkSpan(from: string | null, to: string | null, path: string): BookProblem[] {
  if (from === null || to === null || from < to) return []
  return [problem(path, `"to" is the first day after it: it must be later than ${from}`)]
}

function checkReferences(item: PriceBookItem, path: string, { items }: KnownNames): BookProblem[] {
  const skus = new Set(items.keys())
  const own = (names: readonly string[], list: string) =>
    names.flatMap((name, at) =>
      name === item.sku ? [problem(`${path}/${list}/${at}`, 'an item cannot name itself')] : [],
    )
  return [
    ...findUnknown(item.requires, skus, 'item', (at) => `${path}/requires/${at}`),
    ...findUnknown(item.excludes, skus, 'item', (at) => `${path}/excludes/${at}`),
    ...own(item.requires, 'requires'),
    ...own(item.excludes, 'excludes'),
    ...item.requires.flatMap((sku, at) => {
      const needed = items.get(sku)
      if (needed === undefined || isSoldWherever(item, needed)) return []
      const message = `"${sku}" is not sold to all to whom "${item.sku}" is sold: give it a price without a channel`
      return [problem(`${path}/requires/${at}`, message)]
    }),
  ]
}

/** Whether everybody who sees the item sees the other one. */
function isSoldWherever({ prices }: PriceBookItem, other: PriceBookItem): boolean {
  const others = other.prices.map(({ channel }) => channel)
  return others.includes(null) || prices.every(({ channel }) => others.includes(channel))
}

function checkQuantity({ quantity: { min, max, step } }: PriceBookItem, path: string) {
  const isStep = step === null || decimal(step).gt(ZERO)
  return [
    ...checkOrder(min, max, `${path}/max`),
    ...(isStep ? [] : [problem(`${path}/step`, 'a step is more than 0')]),
  ]
}

function checkVolumeDiscounts({ volumeDiscounts }: PriceBookItem, path: string): BookProblem[] {
  return volumeDiscounts.flatMap(({ from, percent }, at) => {
    const before = volumeDiscounts[at - 1]
    const ascends = before === undefined || decimal(before.from).lt(decimal(from))
    const order = `quantities ascend: from must be more than ${before?.from}`
    return [
      ...(ascends ? [] : [problem(`${path}/${at}/from`, order)]),
      ...checkPercent(percent, `${path}/${at}/percent`),
    ]
  })
}

function checkPrice(price: Price, path: string, known: KnownNames): BookProblem[] {
  const { currencies, regions, channels } = known
  return [
    ...findUnknown([price.currency], currencies, 'currency', () => `${path}/currency`),
    ...findUnknown([price.region], regions, 'region', () => `${path}/region`),
    ...findUnknown([price.channel], channels, 'channel', () => `${path}/channel`),
    ...checkSpan(price.from, price.to, `${path}/to`),
    ...checkModel(price.model, `${path}/model`),
    ...checkOrder(price.minimum, price.maximum, `${path}/maximum`),
  ]
}

/** Two prices for the same caller on the same day. */
function checkOverlaps(prices: readonly Price[], path: string): BookProblem[] {
  const problems: BookProblem[] = []
  const seen = new Map<string, Price[]>()
  prices.forEach((price, at) => {
    const name = JSON.stringify([price.currency, price.region, price.channel])
    const before = seen.get(name) ?? []
    if (before.some((one) => overlap(one, price))) {
      const message = `there is another price in ${price.currency} for the same region, channel and days`
      problems.push(problem(`${path}/${at}`, message))
    }
    seen.set(name, [...before, price])
  })
  return problems
}

function overlap(a: Price, b: Price): boolean {
  const begins = (one: Price, end: string | null) =>
    one.from === null || end === null || one.from < end
  return begins(a, b.to) && begins(b, a.to)
}

/** Named here because names of items are asked for by sku. */
export function knownNames(book: PriceBook): KnownNames {
  return {
    currencies: new Set(book.currencies),
    regions: new Set(book.regions.map(({ id }) => id)),
    channels: new Set(book.channels.map(({ id }) => id)),
    items: new Map(book.items.map((item) => [item.sku, item])),
  }
}
