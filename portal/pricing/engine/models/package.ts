import type { ModelOf } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal, larger, partsBegun, ZERO } from '../decimal.ts'
import { sayMoney, sayNumber, sayQuantity } from '../words.ts'
import type { Model } from './model.ts'

export const packages: Model<ModelOf<'package'>> = {
  price(price, { quantity, unit, currency }) {
    const free = decimal(price.freeUnits)
    const size = decimal(price.size)
    const each = decimal(price.packagePrice)
    const paid = larger(quantity.minus(free), ZERO)
    const count = partsBegun(paid, size)
    const amount = count.times(each)
    const name = count.eq('1') ? 'package' : 'packages'
    const needed = `${sayQuantity(paid, unit)} take ${sayNumber(count)} ${name} of ${sayNumber(size)}`
    return {
      amount,
      unitPrice: null,
      sentences: [
        ...(free.isZero() ? [] : [`The first ${sayQuantity(free, unit)} cost nothing.`]),
        `${needed} at ${sayMoney(each, currency)} each: ${sayMoney(amount, currency)}.`,
      ],
    }
  },
  describe(price, { unit, currency }) {
    const free = decimal(price.freeUnits)
    const size = sayQuantity(decimal(price.size), unit)
    return [
      ...(free.isZero() ? [] : [`The first ${sayQuantity(free, unit)} cost nothing.`]),
      `${sayMoney(decimal(price.packagePrice), currency)} for each package of ${size}, also one begun.`,
    ]
  },
}
