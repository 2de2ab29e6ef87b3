import type { ModelOf } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal, larger, ZERO } from '../decimal.ts'
import { sayMoney, sayQuantity } from '../words.ts'
import type { Model } from './model.ts'

export const perUnit: Model<ModelOf<'per_unit'>> = {
  price(price, { quantity, unit, currency }) {
    const unitPrice = decimal(price.unitPrice)
    const free = decimal(price.freeUnits)
    const paid = larger(quantity.minus(free), ZERO)
    const amount = paid.times(unitPrice)
    const each = `${sayQuantity(paid, unit)} at ${sayMoney(unitPrice, currency)} each`
    return {
      amount,
      unitPrice: free.isZero() ? unitPrice : null,
      sentences: [
        ...(free.isZero() ? [] : [`The first ${sayQuantity(free, unit)} cost nothing.`]),
        `${each}: ${sayMoney(amount, currency)}.`,
      ],
    }
  },
  describe(price, { unit, currency }) {
    const free = decimal(price.freeUnits)
    return [
      ...(free.isZero() ? [] : [`The first ${sayQuantity(free, unit)} cost nothing.`]),
      `${sayMoney(decimal(price.unitPrice), currency)} for each ${unit.one}.`,
    ]
  },
}
