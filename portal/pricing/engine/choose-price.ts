import type { Price, PriceBookItem } from '../../../schemas/portal/pricing/price-book.ts'

export type PricePlace = {
  readonly currency: string
  readonly region: string | null
  /** Day whose prices count. */
  readonly date: string
}

/**
 * The one price that counts: a channel's before the list's, then a region's before one for all
 * regions. `item` is of a view, so its prices are the caller's. Prices of one kind never overlap in
 * time, so there is at most one of each.
 */
export function choosePrice(item: PriceBookItem, place: PricePlace): Price | undefined {
  const { currency, region, date } = place
  const candidates = item.prices.filter(
    (price) =>
      price.currency === currency &&
      (price.region === null || price.region === region) &&
      isInForce(price, date),
  )
  const find = (isChannel: boolean, isRegion: boolean) =>
    candidates.find(
      (price) => (price.channel !== null) === isChannel && (price.region !== null) === isRegion,
    )
  return find(true, true) ?? find(true, false) ?? find(false, true) ?? find(false, false)
}

type Span = { readonly from: string | null; readonly to: string | null }

/** Dates as text have the order of their days. */
export function isInForce({ from, to }: Span, date: string): boolean {
  return (from === null || from <= date) && (to === null || date < to)
}
