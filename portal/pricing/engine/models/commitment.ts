import type { ModelOf } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal, larger, ZERO } from '../decimal.ts'
import { sayMoney, sayQuantity } from '../words.ts'
import type { Model } from './model.ts'

export const commitment: Model<ModelOf<'commitment'>> = {
  price(price, { quantity, unit, currency }) {
    const base = decimal(price.amount)
    const included = decimal(price.includedUnits)
    const above = larger(quantity.minus(included), ZERO)
    const each = decimal(price.overagePrice)
    const overage = above.times(each)
    const covered = `The minimum of ${sayMoney(base, currency)} covers ${sayQuantity(included, unit)}`
    const units = `${sayQuantity(above, unit)} above them at ${sayMoney(each, currency)} each`
    return {
      amount: base.plus(overage),
      unitPrice: null,
      sentences: [
        `${covered}.`,
        ...(above.isZero() ? [] : [`${units}: ${sayMoney(overage, currency)}.`]),
      ],
    }
  },
  describe(price, { unit, currency }) {
    const included = sayQuantity(decimal(price.includedUnits), unit)
    return [
      `At least ${sayMoney(decimal(price.amount), currency)}, which covers ${included}.`,
      `${sayMoney(decimal(price.overagePrice), currency)} for each ${unit.one} above them.`,
    ]
  },
}
