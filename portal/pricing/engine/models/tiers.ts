// Tiers in words and numbers, for the models that have them.
import type { PricedUnit } from '../../../../schemas/portal/pricing/price-book.ts'
import { type Decimal, decimal, ZERO } from '../decimal.ts'
import { sayNumber, sayQuantity } from '../words.ts'

export type TierPlace<Tier> = {
  readonly tier: Tier
  /** The tier holds what is above it. */
  readonly above: Decimal
  /** And up to this, itself included; null: open. */
  readonly upTo: Decimal | null
}

export function placeTiers<Tier extends { readonly upTo: string | null }>(
  tiers: readonly Tier[],
): readonly TierPlace<Tier>[] {
  let above = ZERO
  return tiers.map((tier) => {
    const place = { tier, above, upTo: tier.upTo === null ? null : decimal(tier.upTo) }
    above = place.upTo ?? above
    return place
  })
}

/** How much of the quantity lies in the tier; 0 or less: nothing. */
export function partInTier(quantity: Decimal, { above, upTo }: TierPlace<unknown>): Decimal {
  const top = upTo === null || quantity.lt(upTo) ? quantity : upTo
  return top.minus(above)
}

/** `up to 5 fonts`, `above 5 and up to 10 fonts`, `above 10 fonts`, `any quantity`. */
export function sayTier({ above, upTo }: TierPlace<unknown>, unit: PricedUnit): string {
  if (upTo === null) return above.isZero() ? 'any quantity' : `above ${sayQuantity(above, unit)}`
  if (above.isZero()) return `up to ${sayQuantity(upTo, unit)}`
  return `above ${sayNumber(above)} and up to ${sayQuantity(upTo, unit)}`
}
