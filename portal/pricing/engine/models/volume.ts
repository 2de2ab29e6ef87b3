import type { ModelOf } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal } from '../decimal.ts'
import { sayMoney, sayQuantity } from '../words.ts'
import { sayEach, sayTierPrice } from './graduated.ts'
import type { Model } from './model.ts'
import { placeTiers, sayTier } from './tiers.ts'

export const volume: Model<ModelOf<'volume'>> = {
  price(price, { quantity, unit, currency }) {
    const places = placeTiers(price.tiers)
    const reached = places.find(({ upTo }) => upTo === null || quantity.lte(upTo))
    if (reached === undefined) throw new Error('the last tier of a price is open')
    const unitPrice = decimal(reached.tier.unitPrice)
    const fee = decimal(reached.tier.flatFee)
    const forUnits = quantity.times(unitPrice)
    const each = `${sayMoney(unitPrice, currency)} each (the price ${sayTier(reached, unit)})`
    return {
      amount: forUnits.plus(fee),
      unitPrice: fee.isZero() ? unitPrice : null,
      sentences: [
        `All ${sayQuantity(quantity, unit)} at ${each}: ${sayMoney(forUnits, currency)}.`,
        ...(fee.isZero() ? [] : [`This tier has a flat fee: ${sayMoney(fee, currency)}.`]),
      ],
    }
  },
  describe: (price, input) =>
    placeTiers(price.tiers).map((place) =>
      place.above.isZero() && place.upTo === null
        ? `All units: ${sayEach(place, input)}.`
        : `All units, if ${sayTierPrice(place, input)}.`,
    ),
}
