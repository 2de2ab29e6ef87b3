// The price book as one caller may see it, on one day, in one currency (decision 9.8).
import type { PricingCaller } from '../../../schemas/portal/pricing/caller.ts'
import type { Catalog, CatalogOutcome } from '../../../schemas/portal/pricing/catalog.ts'
import type { PriceBook, PriceBookItem } from '../../../schemas/portal/pricing/price-book.ts'
import { choosePrice } from './choose-price.ts'
import { describePrice } from './models/price-amount.ts'
import { findPlace, isPlace, type Place } from './place.ts'
import { viewFor } from './view.ts'

/** `date`: the day whose prices count, `2026-01-31` in UTC. */
export function catalogFor(book: PriceBook, caller: PricingCaller, date: string): CatalogOutcome {
  const view = viewFor(book, caller)
  const { currency, region } = caller
  const place = findPlace(view, { currency, region, date })
  if (!isPlace(place)) return { kind: 'refused', errors: [...place] }
  const items = [...view.items.values()].flatMap((item) => toCatalogItem(item, place))
  const shown = new Set(items.map(({ sku }) => sku))
  const catalog: Catalog = {
    priceBook: { id: book.id, version: book.version },
    effectiveFrom: book.effectiveFrom,
    effectiveTo: book.effectiveTo,
    date,
    currency: place.currency,
    currencies: [...view.currencies],
    region: place.region,
    regions: book.regions,
    terms: [...view.terms.values()].map(({ channel: _, ...term }) => term),
    discountLimitPercent: view.discountLimit.toFixed(),
    items: items.map((item) => ({
      ...item,
      excludes: item.excludes.filter((sku) => shown.has(sku)),
    })),
  }
  return { kind: 'catalog', catalog }
}

/** None, if it has no price there. */
function toCatalogItem(item: PriceBookItem, place: Place): Catalog['items'] {
  const price = choosePrice(item, place)
  if (price === undefined) return []
  const { per, model, minimum, maximum, region, channel, to } = price
  const words = [...describePrice(price, { unit: item.unit, currency: place.money })]
  const { prices: _, ...shown } = item
  return [{ ...shown, price: { per, model, minimum, maximum, region, channel, to, words } }]
}
