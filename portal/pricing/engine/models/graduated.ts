import type { ModelOf, Tier } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal, larger, ZERO } from '../decimal.ts'
import { sayMoney, sayQuantity } from '../words.ts'
import type { Model, ModelInput, WordsInput } from './model.ts'
import { partInTier, placeTiers, sayTier, type TierPlace } from './tiers.ts'

export const graduated: Model<ModelOf<'graduated'>> = {
  price(price, input) {
    let amount = ZERO
    const sentences: string[] = []
    for (const place of placeTiers(price.tiers)) {
      if (!isReached(place, input)) break
      const part = larger(partInTier(input.quantity, place), ZERO)
      const forUnits = part.times(decimal(place.tier.unitPrice))
      const fee = decimal(place.tier.flatFee)
      amount = amount.plus(forUnits).plus(fee)
      const units = `${sayQuantity(part, input.unit)} (${sayTier(place, input.unit)})`
      const each = sayMoney(decimal(place.tier.unitPrice), input.currency)
      sentences.push(`${units} at ${each} each: ${sayMoney(forUnits, input.currency)}.`)
      if (!fee.isZero())
        sentences.push(`This tier has a flat fee: ${sayMoney(fee, input.currency)}.`)
    }
    return { amount, unitPrice: null, sentences }
  },
  describe: (price, input) =>
    placeTiers(price.tiers).map((place) => `Units ${sayTierPrice(place, input)}.`),
}

/** The first tier is reached by 0, so that its flat fee counts as a base price. */
function isReached({ above }: TierPlace<unknown>, { quantity }: ModelInput): boolean {
  return above.isZero() || quantity.gt(above)
}

/** `up to 5 fonts: 7.00 USD each and a flat fee of 10.00 USD`. */
export function sayTierPrice(place: TierPlace<Tier>, input: WordsInput): string {
  return `${sayTier(place, input.unit)}: ${sayEach(place, input)}`
}

/** Without saying which units. */
export function sayEach({ tier }: TierPlace<Tier>, { currency }: WordsInput): string {
  const fee = decimal(tier.flatFee)
  const withFee = fee.isZero() ? '' : ` and a flat fee of ${sayMoney(fee, currency)}`
  return `${sayMoney(decimal(tier.unitPrice), currency)} each${withFee}`
}
