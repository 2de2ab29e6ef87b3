// A price book without anything of channels that are not the caller's: as the vendor would write it
// if they did not exist.
type Channel = string | null
type Item = {
  readonly sku: string
  readonly prices: readonly { readonly channel?: Channel }[]
  readonly excludes?: readonly string[]
}
type Promotion = {
  readonly channels: readonly string[] | null
  readonly items: readonly string[] | null
}
type Owned = { readonly channel?: Channel }
type AnyDocument = {
  readonly channels: readonly { readonly id: string }[]
  readonly items: readonly Item[]
  readonly terms: readonly Owned[]
  readonly promotions: readonly Promotion[]
  readonly discountLimits: readonly Owned[]
}

export function withoutOthers<Document extends AnyDocument>(document: Document, own: Channel) {
  const isSeen = ({ channel = null }: Owned) => channel === null || channel === own
  const items = document.items
    .map((item) => ({ ...item, prices: item.prices.filter(isSeen) }))
    .filter(({ prices }) => prices.length > 0)
  const isSold = (sku: string) => items.some((item) => item.sku === sku)
  return {
    ...document,
    channels: document.channels.filter(({ id }) => id === own),
    items: items.map((item) => ({ ...item, excludes: (item.excludes ?? []).filter(isSold) })),
    terms: document.terms.filter(isSeen),
    discountLimits: document.discountLimits.filter(isSeen),
    promotions: document.promotions
      .filter(({ channels }) => channels === null || channels.some((id) => id === own))
      .map((promotion) => ({
        ...promotion,
        channels: promotion.channels?.filter((id) => id === own) ?? null,
        items: promotion.items?.filter(isSold) ?? null,
      }))
      .filter((promotion) => promotion.items?.length !== 0),
  }
}
