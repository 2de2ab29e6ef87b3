// What every price model is: a pure function from a quantity to an exact amount and the sentences
// that explain it. One file a model; a new one is also a line in price-amount.ts.
import type { PricedUnit } from '../../../../schemas/portal/pricing/price-book.ts'
import type { Decimal } from '../decimal.ts'
import type { Currency } from '../words.ts'

export type ModelInput = {
  readonly quantity: Decimal
  /** Of a percentage, in order; their sum is the quantity. */
  readonly transactions: readonly Decimal[]
  readonly unit: PricedUnit
  readonly currency: Currency
}

export type ModelAmount = {
  /** For one period; exact, not rounded. */
  readonly amount: Decimal
  /** What every unit costs, where all cost the same. */
  readonly unitPrice: Decimal | null
  readonly sentences: readonly string[]
}

export type WordsInput = { readonly unit: PricedUnit; readonly currency: Currency }

export type Model<Price> = {
  readonly price: (price: Price, input: ModelInput) => ModelAmount
  /** The price itself, for the catalog. */
  readonly describe: (price: Price, input: WordsInput) => readonly string[]
}
