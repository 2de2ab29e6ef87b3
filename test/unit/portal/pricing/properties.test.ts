// What holds for any price book, offer and caller.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPriceBook } from '../../../../portal/pricing/engine/book/read-price-book.ts'
import { catalogFor } from '../../../../portal/pricing/engine/catalog-for.ts'
import { decimal, sum, ZERO } from '../../../../portal/pricing/engine/decimal.ts'
import { shareOut } from '../../../../portal/pricing/engine/discounts/open-line.ts'
import { priceAmount } from '../../../../portal/pricing/engine/models/price-amount.ts'
import { quote } from '../../../../portal/pricing/engine/quote.ts'
import { quoteMany } from '../../../../portal/pricing/engine/quote-many.ts'
import { printCanonical } from '../../../../schemas/portal/canonical-json.ts'
import { catalogOutcomeSchema } from '../../../../schemas/portal/pricing/catalog.ts'
import { type PriceBook, priceSchema } from '../../../../schemas/portal/pricing/price-book.ts'
import { quoteUntilPriced } from '../../../support/pricing/quote-until-priced.ts'
import {
  anyCaller,
  anyState,
  bookDocument,
  DATE,
  decimalBelow,
  model,
} from '../../../support/pricing/random-books.ts'
import { withoutOthers } from '../../../support/pricing/without-others.ts'
import { series } from '../../../support/run/tier.ts'

const states = fc.array(anyState, { minLength: 1, maxLength: 4 })

function readBook(document: unknown): PriceBook {
  const read = readPriceBook(document)
  if (read.kind === 'refused') throw new Error(JSON.stringify(read.problems))
  return read.book
}

describe('a quote', () => {
  it('adds up: lines, discounts, taxes, credits', () => {
    let quoted = 0
    fc.assert(
      fc.property(bookDocument, states, anyCaller, (document, offered, caller) => {
        const book = readBook(document)
        for (const state of offered) {
          const outcome = quoteUntilPriced(book, state, caller).at(-1)?.outcome
          if (outcome?.kind !== 'quoted') continue
          quoted++
          const { lines, totals } = outcome.quote
          const add = (values: readonly string[]) => sum(values.map(decimal))
          for (const { list, discounts, net } of lines) {
            const taken = add(discounts.map(({ amount }) => amount))
            expect(decimal(list).minus(taken).eq(decimal(net))).toBe(true)
            expect(decimal(net).gte(ZERO)).toBe(true)
          }
          expect(add(lines.map(({ list }) => list)).eq(decimal(totals.list))).toBe(true)
          expect(add(lines.map(({ net }) => net)).eq(decimal(totals.net))).toBe(true)
          expect(add([totals.net, totals.discounts]).eq(decimal(totals.list))).toBe(true)
          const due = add([totals.net, totals.tax]).minus(decimal(totals.creditsApplied))
          expect(due.eq(decimal(totals.due)) && due.gte(ZERO)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
    expect(quoted).toBeGreaterThan(60)
  })

  it('is the same to the byte for the same input', () => {
    fc.assert(
      fc.property(bookDocument, states, anyCaller, (document, offered, caller) => {
        const answers = [readBook(document), readBook(structuredClone(document))].map((book) =>
          JSON.stringify(quoteMany(book, structuredClone(offered), { ...caller }, DATE)),
        )
        expect(answers[0]).toBe(answers[1])
      }),
      { numRuns: 60 },
    )
  })

  it('of several states is each as it would be alone, and differs from the first', () => {
    fc.assert(
      fc.property(bookDocument, states, anyCaller, (document, offered, caller) => {
        const book = readBook(document)
        const { outcomes, differences } = quoteMany(book, offered, caller, DATE)
        expect(printCanonical(outcomes)).toBe(
          printCanonical(offered.map((state) => quote(book, state, caller, DATE))),
        )
        const [first] = outcomes
        differences.forEach((difference, at) => {
          const other = outcomes[at]
          if (difference === null || first?.kind !== 'quoted' || other?.kind !== 'quoted') return
          const sums = decimal(first.quote.totals.due).plus(decimal(difference.due))
          expect(sums.eq(decimal(other.quote.totals.due))).toBe(true)
        })
        expect(differences[0]?.due ?? '0').toMatch(/^0(?:\.0+)?$/)
      }),
      { numRuns: 100 },
    )
  })
})

describe('another channel', () => {
  it('leaves no trace in any answer: without it every byte is the same', () => {
    const runs = series(60, 200)
    const seen = { quoted: 0, refused: 0, smaller: 0 }
    fc.assert(
      fc.property(bookDocument, states, anyCaller, (document, offered, caller) => {
        const reduced = withoutOthers(document, caller.channel)
        if (reduced.items.length === 0) return
        const [book, own] = [readBook(document), readBook(reduced)]
        if (printCanonical(reduced) !== printCanonical(document)) seen.smaller++
        const catalog = catalogFor(book, caller, DATE)
        expect(catalogOutcomeSchema.parse(catalog)).toEqual(catalog)
        expect(JSON.stringify(catalog)).toBe(JSON.stringify(catalogFor(own, caller, DATE)))
        for (const anyOf of offered)
          for (const { state, outcome } of quoteUntilPriced(book, anyOf, caller)) {
            expect(JSON.stringify(outcome)).toBe(JSON.stringify(quote(own, state, caller, DATE)))
            seen[outcome.kind]++
          }
      }),
      { numRuns: runs },
    )
    expect(seen.smaller).toBeGreaterThan(0.75 * runs)
    expect(seen.quoted).toBeGreaterThan(runs)
    expect(seen.refused).toBeGreaterThan(0.75 * runs)
  })
})

describe('a price', () => {
  it('never falls when the quantity rises, but for volume prices', () => {
    const two = fc.tuple(decimalBelow(100, 2), decimalBelow(100, 2))
    fc.assert(
      fc.property(model, two, (anyModel, [one, other]) => {
        const price = priceSchema.parse({ currency: 'USD', per: 'once', model: anyModel })
        fc.pre(price.model.kind !== 'volume')
        const amounts = [one, other].map((text) => {
          const quantity = decimal(text)
          const unit = { one: 'unit', many: 'units' }
          const currency = { code: 'USD', digits: 2 }
          return priceAmount(price, { quantity, transactions: [quantity], unit, currency }).amount
        })
        const [first = ZERO, second = ZERO] = amounts
        const rises = decimal(one).lte(decimal(other))
        expect(rises ? first.lte(second) : second.lte(first)).toBe(true)
      }),
      { numRuns: series(330, 2000) },
    )
  })

  it('is shared out in whole cents that add up, none above its weight', () => {
    const weights = fc.array(fc.nat(5000).map(String), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.nat(30_000).map(String), weights, (amount, texts) => {
        const parts = texts.map(decimal)
        const shares = shareOut(decimal(amount), parts, { code: 'JPY', digits: 0 })
        const total = sum(parts)
        const wanted = decimal(amount).lt(total) ? decimal(amount) : total
        expect(sum(shares).eq(wanted)).toBe(true)
        shares.forEach((share, at) => {
          expect(share.gte(ZERO) && share.lte(parts[at] ?? ZERO)).toBe(true)
        })
      }),
      { numRuns: series(330, 2000) },
    )
  })
})
