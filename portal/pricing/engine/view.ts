// What one caller sees of a price book. Everything that answers works on a view, so that nothing
// of another channel can reach an answer, not by an error either: it is not there.
import type { PricingCaller } from '../../../schemas/portal/pricing/caller.ts'
import type {
  PriceBook,
  PriceBookItem,
  PriceBookTerm,
  Promotion,
} from '../../../schemas/portal/pricing/price-book.ts'
import { type Decimal, decimal, ZERO } from './decimal.ts'

export type BookView = {
  readonly book: Pick<PriceBook, 'id' | 'version' | 'effectiveFrom' | 'effectiveTo' | 'regions'>
  /** Those with a price that the caller sees, in the order of the book. */
  readonly currencies: readonly string[]
  readonly terms: ReadonlyMap<string, PriceBookTerm>
  /** With the prices that the caller sees; those without any are left out. */
  readonly items: ReadonlyMap<string, PriceBookItem>
  readonly promotions: ReadonlyMap<string, Promotion>
  /** Percent that the caller may take off by hand. */
  readonly discountLimit: Decimal
}

type Asker = Pick<PricingCaller, 'channel' | 'role'>

/** Views of a book, by caller: a book never changes, and callers are of few kinds. */
const VIEWS = new WeakMap<PriceBook, Map<string, BookView>>()

export function viewFor(book: PriceBook, { channel, role }: Asker): BookView {
  const views = VIEWS.get(book) ?? new Map<string, BookView>()
  VIEWS.set(book, views)
  // A channel that the book does not know has no prices of its own.
  const known = book.channels.some(({ id }) => id === channel) ? channel : null
  const name = JSON.stringify([known, role])
  const view = views.get(name) ?? makeView(book, { channel: known, role })
  views.set(name, view)
  return view
}

function makeView(book: PriceBook, asker: Asker): BookView {
  const sees = (channel: string | null) => channel === null || channel === asker.channel
  const sold = book.items.flatMap((item) => {
    const prices = item.prices.filter((price) => sees(price.channel))
    return prices.length === 0 ? [] : [{ ...item, prices }]
  })
  const skus = new Set(sold.map(({ sku }) => sku))
  const items = sold.map((item) => ({
    ...item,
    requires: item.requires.filter((sku) => skus.has(sku)),
    excludes: item.excludes.filter((sku) => skus.has(sku)),
  }))
  const currencies = new Set(items.flatMap(({ prices }) => prices.map((price) => price.currency)))
  const terms = book.terms.filter((term) => sees(term.channel))
  const promotions = book.promotions.flatMap((promotion) => {
    const { channels } = promotion
    const counted = promotion.items?.filter((sku) => skus.has(sku)) ?? null
    const isSeen = (channels?.some(sees) ?? true) && counted?.length !== 0
    return isSeen ? [{ ...promotion, items: counted }] : []
  })
  return {
    book,
    currencies: book.currencies.filter((currency) => currencies.has(currency)),
    terms: new Map(terms.map((term) => [term.id, term])),
    items: new Map(items.map((item) => [item.sku, item])),
    promotions: new Map(promotions.map((promotion) => [promotion.code, promotion])),
    discountLimit: limitOf(book, asker),
  }
}

/** A limit for the role in the channel goes before one for the role. */
function limitOf({ discountLimits }: PriceBook, { channel, role }: Asker): Decimal {
  const ofRole = discountLimits.filter((limit) => limit.role === role)
  const limit =
    ofRole.find((one) => one.channel !== null && one.channel === channel) ??
    ofRole.find((one) => one.channel === null)
  return limit === undefined ? ZERO : decimal(limit.percent)
}
