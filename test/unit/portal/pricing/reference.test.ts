// A second engine, in fractions and written apart, agrees to the last digit
// (test/support/reference/pricing). By hand more: LOGEYE_PRICING_RUNS=10000.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readPriceBook } from '../../../../portal/pricing/engine/book/read-price-book.ts'
import type { PricingCaller } from '../../../../schemas/portal/pricing/caller.ts'
import {
  type OfferState,
  offerStateSchema,
} from '../../../../schemas/portal/pricing/offer-state.ts'
import type { PriceBook } from '../../../../schemas/portal/pricing/price-book.ts'
import { type Quote, quoteOutcomeSchema } from '../../../../schemas/portal/pricing/quote.ts'
import { quoteUntilPriced } from '../../../support/pricing/quote-until-priced.ts'
import { anyCaller, anyState, bookDocument, DATE } from '../../../support/pricing/random-books.ts'
import { type NaiveQuote, naiveQuote } from '../../../support/reference/pricing/naive-quote.ts'
import { series } from '../../../support/run/tier.ts'

const STATES = Number(process.env.LOGEYE_PRICING_RUNS ?? series(300, 1000))
const STATES_A_BOOK = 10

it('agrees with fractions to the last digit', () => {
  const seen = { quoted: 0, refused: 0, aboveLimit: 0 }
  const states = fc.array(anyState, { minLength: STATES_A_BOOK, maxLength: STATES_A_BOOK })
  fc.assert(
    fc.property(bookDocument, states, anyCaller, (document, offered, caller) => {
      const read = readPriceBook(document)
      if (read.kind === 'refused') throw new Error(JSON.stringify(read.problems))
      for (const state of offered) compare(read.book, offerStateSchema.parse(state), caller)
    }),
    { numRuns: STATES / STATES_A_BOOK },
  )
  console.log(JSON.stringify(seen))
  expect(seen.quoted).toBeGreaterThan(STATES / 2)
  expect(seen.aboveLimit).toBeGreaterThan(STATES / 20)

  function compare(book: PriceBook, offered: OfferState, caller: PricingCaller): void {
    for (const { state, outcome } of quoteUntilPriced(book, offered, caller)) {
      seen[outcome.kind]++
      if (outcome.kind === 'quoted') {
        expect(quoteOutcomeSchema.parse(outcome)).toEqual(outcome)
        expect(naiveQuote(book, state, caller, DATE)).toEqual(numbersOf(outcome.quote))
      } else if (outcome.errors.every(({ code }) => code === 'discount_above_limit')) {
        seen.aboveLimit++
        expect(naiveQuote(book, state, caller, DATE)).toBeNull()
      }
    }
  }
})

function numbersOf({ lines, totals }: Quote): NaiveQuote {
  return {
    lines: lines.map(({ list, discounts, net }) => ({
      ...{ list, discounts: discounts.map(({ amount }) => amount), net },
    })),
    totals: {
      ...{ list: totals.list, discounts: totals.discounts, net: totals.net },
      ...{ tax: totals.tax, creditsApplied: totals.creditsApplied, due: totals.due },
    },
  }
}
