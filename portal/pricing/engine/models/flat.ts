import type { ModelOf } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal } from '../decimal.ts'
import { sayMoney } from '../words.ts'
import type { Model } from './model.ts'

export const flat: Model<ModelOf<'flat'>> = {
  price(price, { currency }) {
    const amount = decimal(price.amount)
    return {
      amount,
      unitPrice: null,
      sentences: [`A flat price of ${sayMoney(amount, currency)}, whatever the quantity.`],
    }
  },
  describe: (price, { currency }) => [
    `${sayMoney(decimal(price.amount), currency)}, whatever the quantity.`,
  ],
}
