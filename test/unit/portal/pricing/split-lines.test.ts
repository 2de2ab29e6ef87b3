// Lines of one item are priced as one quantity, and quantities that would cost less are named.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPriceBook } from '../../../../portal/pricing/engine/book/read-price-book.ts'
import { quote } from '../../../../portal/pricing/engine/quote.ts'
import {
  type OfferState,
  offerStateSchema,
} from '../../../../schemas/portal/pricing/offer-state.ts'
import type { PriceBook } from '../../../../schemas/portal/pricing/price-book.ts'
import type { Quote } from '../../../../schemas/portal/pricing/quote.ts'
import { anyCaller, anyState, bookDocument } from '../../../support/pricing/random-books.ts'
import { ANYBODY, makeBook, makeItem } from '../../../support/pricing/small-book.ts'
import { series } from '../../../support/run/tier.ts'

const DATE = '2026-06-15'
const JUNE = { from: '2026-06-01', to: '2026-07-01' }
const tiers = [
  { upTo: '250', unitPrice: '0' },
  { upTo: null, unitPrice: '0.02' },
]
const BOOK = makeBook([
  makeItem('tiered', [{ model: { kind: 'graduated', tiers }, per: 'month' }]),
  makeItem('free', [{ model: { kind: 'per_unit', unitPrice: '1', freeUnits: '10' } }]),
  makeItem('capped', [{ model: { kind: 'per_unit', unitPrice: '1' }, maximum: '100' }]),
  makeItem('thirds', [{ model: { kind: 'flat', amount: '10' } }]),
  makeItem('rebated', [{ model: { kind: 'per_unit', unitPrice: '1' } }], {
    volumeDiscounts: [{ from: '100', percent: '10' }],
  }),
  makeItem('stepped', [{ model: { kind: 'per_unit', unitPrice: '1' } }], {
    quantity: { min: '0', max: '120', step: '30' },
    volumeDiscounts: [{ from: '100', percent: '50' }],
  }),
])

function priced(book: PriceBook, state: unknown): Quote {
  const outcome = quote(book, offerStateSchema.parse(state), ANYBODY, DATE)
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.errors))
  return outcome.quote
}
const nets = (lines: readonly object[], more: object = {}) =>
  priced(BOOK, { lines, ...more }).lines.map(({ net }) => net)
const line = (item: string, quantity: string, more: object = {}) => ({ item, quantity, ...more })

describe('an item on several lines', () => {
  it.each([
    ['tiers', [line('tiered', '500')], ['5.00']],
    ['tiers', [line('tiered', '250'), line('tiered', '250')], ['2.50', '2.50']],
    ['free units', [line('free', '15'), line('free', '5')], ['7.50', '2.50']],
    ['the most that is charged', [line('capped', '150'), line('capped', '50')], ['75.00', '25.00']],
    [
      'a flat price, to the cent',
      [line('thirds', '1'), line('thirds', '1'), line('thirds', '1')],
      ['3.33', '3.34', '3.33'],
    ],
    ['a volume discount', [line('rebated', '60'), line('rebated', '40')], ['54.00', '36.00']],
  ])('has them once: %s', (_, lines, wanted) => {
    expect(nets(lines)).toEqual(wanted)
  })

  it('is priced apart only for days that do not overlap', () => {
    const [first, second] = [{ to: '2026-06-16' }, { from: '2026-06-16' }]
    const half = (more: object) => line('tiered', '250', more)
    expect(nets([half(first), half(second)], { period: JUNE })).toEqual(['0.00', '0.00'])
    const across = [half(first), half({ from: '2026-06-15' })]
    expect(nets(across, { period: JUNE })).toEqual(['1.25', '1.33'])
  })

  it('says so', () => {
    const { lines } = priced(BOOK, { lines: [line('free', '15'), line('free', '5')] })
    expect(lines[1]?.explanation).toEqual([
      'Priced together with the other lines of this item: 20 units.',
      'The first 10 units cost nothing.',
      '10 units at 1.00 USD each: 10.00 USD.',
      'This line bears the share of its 5 units.',
      'The list price is 2.50 USD.',
    ])
  })

  it('has the list price of one line, however it is split', () => {
    let compared = 0
    const split = fc.tuple(bookDocument, anyState, anyCaller, fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(split, ([document, state, caller, tenths]) => {
        const read = readPriceBook(document)
        if (read.kind === 'refused') throw new Error(JSON.stringify(read.problems))
        const first = {
          item: state.lines[0]?.item ?? '',
          quantity: state.lines[0]?.quantity ?? '1',
        }
        const { currency, term } = state
        const whole: OfferState = offerStateSchema.parse({ currency, term, lines: [first] })
        const size = Number(first.quantity)
        const part = Number(((size * tenths) / 10).toFixed(3))
        const parts = [part, Number((size - part).toFixed(3))].map((quantity) => ({
          ...first,
          quantity: String(quantity),
        }))
        const [one, two] = [whole, { ...whole, lines: parts }].map((asked) =>
          quote(read.book, asked, caller, '2026-06-15'),
        )
        if (one?.kind !== 'quoted' || two?.kind !== 'quoted') return
        // Transactions of a percentage are single ones: two lines have two.
        const item = read.book.items.find(({ sku }) => sku === first.item)
        if (item?.prices.some(({ model }) => model.kind === 'percentage')) return
        compared += 1
        expect(two.quote.totals.list).toBe(one.quote.totals.list)
      }),
      { numRuns: series(600, 6000) },
    )
    expect(compared).toBeGreaterThan(15)
  })
})

describe('a quantity that costs more than a larger one', () => {
  const warned = (item: string, quantity: string) =>
    priced(BOOK, { lines: [line(item, quantity)] }).warnings.map(({ message }) => message)

  it('is named before the next volume discount', () => {
    expect(warned('rebated', '95')).toEqual([
      '100 units cost less (90.00 USD) than these (95.00 USD)',
    ])
    expect(warned('rebated', '90')).toEqual([])
    expect(warned('rebated', '100')).toEqual([])
  })

  it('is named with a larger one that is sold', () => {
    expect(warned('stepped', '90')).toEqual([
      '120 units cost less (60.00 USD) than these (90.00 USD)',
    ])
    expect(warned('stepped', '120')).toEqual([])
  })

  it('is named before the next tier of a volume price', () => {
    const steps = [
      { upTo: '10', unitPrice: '2' },
      { upTo: null, unitPrice: '1' },
    ]
    const book = makeBook([makeItem('v', [{ model: { kind: 'volume', tiers: steps } }])])
    const messages = (quantity: string) =>
      priced(book, { lines: [line('v', quantity)] }).warnings.map(({ message }) => message)
    expect(messages('9')).toEqual(['11 units cost less (11.00 USD) than these (18.00 USD)'])
    expect(messages('5')).toEqual([])
  })
})
