import type { ModelOf } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal, ZERO } from '../decimal.ts'
import { sayMoney, sayPercent } from '../words.ts'
import type { Model } from './model.ts'
import { partInTier, placeTiers } from './tiers.ts'

export const graduatedPercentage: Model<ModelOf<'graduated_percentage'>> = {
  price(price, { quantity, currency }) {
    let amount = ZERO
    const sentences: string[] = []
    for (const place of placeTiers(price.tiers)) {
      const part = partInTier(quantity, place)
      if (part.lte(ZERO)) break
      const percent = decimal(place.tier.percent)
      const share = part.times(percent).shiftedBy(-2)
      const fee = decimal(place.tier.flatFee)
      amount = amount.plus(share).plus(fee)
      const of = `${sayPercent(percent)} of ${sayMoney(part, currency)}`
      sentences.push(`${of}: ${sayMoney(share, currency)}.`)
      if (!fee.isZero()) sentences.push(`This tier has a flat fee: ${sayMoney(fee, currency)}.`)
    }
    if (sentences.length === 0) sentences.push('Nothing is charged for an amount of 0.')
    return { amount, unitPrice: null, sentences }
  },
  describe: (price, { currency }) =>
    placeTiers(price.tiers).map(({ tier, above, upTo }) => {
      const fee = decimal(tier.flatFee)
      const withFee = fee.isZero() ? '' : ` and a flat fee of ${sayMoney(fee, currency)}`
      const from = `above ${sayMoney(above, currency)}`
      const end = upTo === null ? '' : ` and up to ${sayMoney(upTo, currency)}`
      return `${sayPercent(decimal(tier.percent))} of the part ${from}${end}${withFee}.`
    }),
}
