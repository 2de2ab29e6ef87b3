// What-if: several states of an offer priced in one call, and how they differ from the first.
import type { PricingCaller } from '../../../schemas/portal/pricing/caller.ts'
import { currencyDigits } from '../../../schemas/portal/pricing/currencies.ts'
import type { OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import type { PriceBook } from '../../../schemas/portal/pricing/price-book.ts'
import type { QuoteOutcome, WhatIf } from '../../../schemas/portal/pricing/quote.ts'
import { decimal } from './decimal.ts'
import { quote } from './quote.ts'

export function quoteMany(
  book: PriceBook,
  states: readonly OfferState[],
  caller: PricingCaller,
  date: string,
): WhatIf {
  const outcomes = states.map((state) => quote(book, state, caller, date))
  const [first] = outcomes
  return { outcomes, differences: outcomes.map((outcome) => differ(outcome, first)) }
}

function differ(one: QuoteOutcome, first: QuoteOutcome | undefined): WhatIf['differences'][number] {
  if (one.kind === 'refused' || first?.kind !== 'quoted') return null
  const { currency, totals } = one.quote
  if (currency !== first.quote.currency) return null
  const base = first.quote.totals
  const less = (value: string, other: string) =>
    decimal(value)
      .minus(decimal(other))
      .toFixed(currencyDigits(currency) ?? 2)
  return {
    list: less(totals.list, base.list),
    discounts: less(totals.discounts, base.discounts),
    net: less(totals.net, base.net),
    tax: less(totals.tax, base.tax),
    due: less(totals.due, base.due),
  }
}
