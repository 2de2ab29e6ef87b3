// The example of docs/reference/price-book.md is a price book that is read and priced.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPriceBook } from '../../../../portal/pricing/engine/book/read-price-book.ts'
import { catalogFor } from '../../../../portal/pricing/engine/catalog-for.ts'
import { quoteMany } from '../../../../portal/pricing/engine/quote-many.ts'
import type { PricingCaller } from '../../../../schemas/portal/pricing/caller.ts'
import { catalogOutcomeSchema } from '../../../../schemas/portal/pricing/catalog.ts'
import { offerStatesSchema } from '../../../../schemas/portal/pricing/offer-state.ts'
import { whatIfSchema } from '../../../../schemas/portal/pricing/quote.ts'

const PAGE = readFileSync(
  new URL('../../../../docs/reference/price-book.md', import.meta.url),
  'utf8',
)
const DATE = '2026-04-01'
const CALLER: PricingCaller = { channel: null, region: null, currency: null, role: 'sales' }

function readExample() {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? []
  const read = readPriceBook(JSON.parse(example))
  if (read.kind === 'refused') throw new Error(JSON.stringify(read.problems))
  return read.book
}

describe('the example of the page', () => {
  it('is priced, by hand the same', () => {
    const { states } = offerStatesSchema.parse({
      states: [
        {
          lines: [
            { item: 'logs', quantity: '120', discount: { kind: 'percent', value: '10' } },
            { item: 'support', quantity: '1' },
            { item: 'training', quantity: '12' },
          ],
          term: 'annual',
          promotions: ['SPRING26'],
          taxes: [{ name: 'VAT', kind: 'percent', value: '19' }],
          credits: [{ name: 'Credit of 2025', amount: '1000.00' }],
        },
        { lines: [{ item: 'logs', quantity: '2' }], term: 'monthly' },
      ],
    })
    const answer = quoteMany(readExample(), states, CALLER, DATE)
    expect(whatIfSchema.parse(answer)).toEqual(answer)
    const [first, second] = answer.outcomes
    if (first?.kind !== 'quoted' || second?.kind !== 'quoted')
      throw new Error(JSON.stringify(answer.outcomes))
    // 12 × (10 × 30 + 40 × 25 + 70 × 20) = 32,400; − 5 % = 30,780; − 10 % = 27,702; − 10 %.
    expect(first.quote.lines.map(({ list, net }) => [list, net])).toEqual([
      ['32400.00', '24931.80'],
      ['1200.00', '1080.00'],
      ['1800.00', '1440.00'],
    ])
    expect(first.quote.totals).toEqual({
      list: '35400.00',
      discounts: '7948.20',
      net: '27451.80',
      taxes: [{ name: 'VAT', amount: '5215.84' }],
      tax: '5215.84',
      credits: [{ name: 'Credit of 2025', applied: '1000.00', left: '0.00' }],
      creditsApplied: '1000.00',
      due: '31667.64',
    })
    expect(first.quote.lines[0]?.explanation).toEqual([
      '10 GB a day (up to 10 GB a day) at 30.00 USD each: 300.00 USD.',
      '40 GB a day (above 10 and up to 50 GB a day) at 25.00 USD each: 1,000.00 USD.',
      '70 GB a day (above 50 GB a day) at 20.00 USD each: 1,400.00 USD.',
      'This is for 1 month; the term has 12 months.',
      'The list price is 32,400.00 USD.',
      'Volume discount of 5 % from 100 GB a day on: 1,620.00 USD less, 30,780.00 USD left.',
      'Discount of 10 % for the term "12 months": 3,078.00 USD less, 27,702.00 USD left.',
      'Discount of 10 %: 2,770.20 USD less, 24,931.80 USD left.',
    ])
    // Two GB a day are 60.00, less than the minimum of 100.00.
    expect(second.quote.totals.due).toBe('100.00')
    expect(answer.differences.map((one) => one?.due)).toEqual(['0.00', '-31567.64'])
  })

  it.each([
    [null, null, { kind: 'graduated' }, ['logs', 'support', 'training'], '15'],
    ['resale', null, { kind: 'per_unit', unitPrice: '18' }, ['logs', 'support', 'training'], '0'],
    [null, 'EUR', { kind: 'per_unit', unitPrice: '27.50' }, ['logs'], '15'],
  ])('has a catalog for the channel %s in %s', (channel, currency, model, skus, limit) => {
    const role = channel === null ? 'sales' : 'customer_viewer'
    const caller: PricingCaller = { ...CALLER, channel, currency, region: 'eu', role }
    const outcome = catalogFor(readExample(), caller, DATE)
    expect(catalogOutcomeSchema.parse(outcome)).toEqual(outcome)
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.errors))
    expect(outcome.catalog.items.map(({ sku }) => sku)).toEqual(skus)
    expect(outcome.catalog.items[0]?.price.model).toMatchObject(model)
    expect(outcome.catalog.items[0]?.price.channel).toBe(channel)
    expect(outcome.catalog.discountLimitPercent).toBe(limit)
  })
})
