// Prices a state, then without what the errors name, until there is a price or nothing left.
import { quote } from '../../../portal/pricing/engine/quote.ts'
import type { PricingCaller } from '../../../schemas/portal/pricing/caller.ts'
import type { OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import type { PriceBook } from '../../../schemas/portal/pricing/price-book.ts'
import type { QuoteOutcome } from '../../../schemas/portal/pricing/quote.ts'
import { DATE } from './random-books.ts'
import { withoutFaults } from './without-faults.ts'

const MAX_ROUNDS = 6

type Priced = { readonly state: OfferState; readonly outcome: QuoteOutcome }

/** Each state on the way and its outcome. What errors name is what is wrong: else it throws. */
export function quoteUntilPriced(
  book: PriceBook,
  offered: OfferState,
  caller: PricingCaller,
): readonly Priced[] {
  const way: Priced[] = []
  let state: OfferState | undefined = offered
  while (state !== undefined) {
    const outcome: QuoteOutcome = quote(book, state, caller, DATE)
    way.push({ state, outcome })
    if (outcome.kind === 'quoted') break
    if (way.length > MAX_ROUNDS) throw new Error(JSON.stringify(way.at(-1)))
    state = withoutFaults(state, outcome.errors)
  }
  return way
}
