// A price of the book at work: its model, then the least and the greatest charge.
import type { Price } from '../../../../schemas/portal/pricing/price-book.ts'
import type { PriceModel } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal } from '../decimal.ts'
import { sayMoney } from '../words.ts'
import { commitment } from './commitment.ts'
import { flat } from './flat.ts'
import { graduated } from './graduated.ts'
import { graduatedPercentage } from './graduated-percentage.ts'
import type { ModelAmount, ModelInput, WordsInput } from './model.ts'
import { packages } from './package.ts'
import { perUnit } from './per-unit.ts'
import { percentage } from './percentage.ts'
import { volume } from './volume.ts'

/** Exact, for one period. */
export function priceAmount(price: Price, input: ModelInput): ModelAmount {
  const priced = amountOf(price.model, input)
  const { currency } = input
  const least = price.minimum === null ? null : decimal(price.minimum)
  const most = price.maximum === null ? null : decimal(price.maximum)
  if (least !== null && priced.amount.lt(least)) {
    const sentence = `At least ${sayMoney(least, currency)} is charged.`
    return { amount: least, unitPrice: null, sentences: [...priced.sentences, sentence] }
  }
  if (most !== null && priced.amount.gt(most)) {
    const sentence = `At most ${sayMoney(most, currency)} is charged.`
    return { amount: most, unitPrice: null, sentences: [...priced.sentences, sentence] }
  }
  return priced
}

export function describePrice(price: Price, input: WordsInput): readonly string[] {
  const { currency } = input
  return [
    ...describeModel(price.model, input),
    ...(price.minimum === null
      ? []
      : [`At least ${sayMoney(decimal(price.minimum), currency)} is charged.`]),
    ...(price.maximum === null
      ? []
      : [`At most ${sayMoney(decimal(price.maximum), currency)} is charged.`]),
  ]
}

function amountOf(model: PriceModel, input: ModelInput): ModelAmount {
  switch (model.kind) {
    case 'flat':
      return flat.price(model, input)
    case 'per_unit':
      return perUnit.price(model, input)
    case 'graduated':
      return graduated.price(model, input)
    case 'volume':
      return volume.price(model, input)
    case 'package':
      return packages.price(model, input)
    case 'percentage':
      return percentage.price(model, input)
    case 'graduated_percentage':
      return graduatedPercentage.price(model, input)
    case 'commitment':
      return commitment.price(model, input)
  }
}

function describeModel(model: PriceModel, input: WordsInput): readonly string[] {
  switch (model.kind) {
    case 'flat':
      return flat.describe(model, input)
    case 'per_unit':
      return perUnit.describe(model, input)
    case 'graduated':
      return graduated.describe(model, input)
    case 'volume':
      return volume.describe(model, input)
    case 'package':
      return packages.describe(model, input)
    case 'percentage':
      return percentage.describe(model, input)
    case 'graduated_percentage':
      return graduatedPercentage.describe(model, input)
    case 'commitment':
      return commitment.describe(model, input)
  }
}
