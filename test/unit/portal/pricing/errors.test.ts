// What is refused, where, and with which code; and that no error tells of another channel.
import { describe, expect, it } from 'vitest'
import { catalogFor } from '../../../../portal/pricing/engine/catalog-for.ts'
import { quote } from '../../../../portal/pricing/engine/quote.ts'
import type { PricingCaller } from '../../../../schemas/portal/pricing/caller.ts'
import {
  type OfferState,
  offerStateSchema,
} from '../../../../schemas/portal/pricing/offer-state.ts'
import { PRICING_ERROR_CODES } from '../../../../schemas/portal/pricing/quote.ts'
import { ANYBODY, makeBook, makeItem } from '../../../support/pricing/small-book.ts'

const perUnit = { model: { kind: 'per_unit', unitPrice: '10' } }
const BOOK = makeBook(
  [
    makeItem('open', [perUnit, { ...perUnit, currency: 'EUR', region: 'eu' }], {
      quantity: { min: '1', max: '100', step: '0.5' },
    }),
    makeItem('extra', [perUnit], { requires: ['open'] }),
    makeItem('rival', [perUnit], { excludes: ['open'] }),
    makeItem('fee', [{ model: { kind: 'percentage', percent: '2' } }]),
    makeItem('monthly', [{ ...perUnit, per: 'month' }]),
    makeItem('secret', [{ ...perUnit, channel: 'north' }]),
  ],
  {
    effectiveTo: '2027-01-01',
    regions: [{ id: 'eu', name: 'European Union' }],
    channels: [{ id: 'north', name: 'North' }],
    terms: [
      { id: 'annual', name: '12 months', months: 12 },
      { id: 'secret-term', name: 'Secret', months: 24, channel: 'north' },
    ],
    promotions: [
      {
        code: 'OLD',
        name: 'Old',
        from: '2026-01-01',
        to: '2026-02-01',
        off: { kind: 'percent', percent: '5' },
      },
      {
        code: 'EUROS',
        name: 'Euros',
        from: '2026-01-01',
        to: null,
        off: { kind: 'amount', amounts: [{ currency: 'EUR', amount: '5' }] },
      },
      {
        code: 'NORTH',
        name: 'North',
        from: '2026-01-01',
        to: null,
        channels: ['north'],
        off: { kind: 'percent', percent: '5' },
      },
      {
        code: 'FEES',
        name: 'Fees',
        from: '2026-01-01',
        to: null,
        items: ['fee', 'secret'],
        off: { kind: 'percent', percent: '5' },
      },
      {
        code: 'GOOD',
        name: 'Good',
        from: '2026-01-01',
        to: null,
        off: { kind: 'percent', percent: '5' },
      },
    ],
    discountLimits: [
      { role: 'sales', percent: '10' },
      { role: 'channel', channel: 'north', percent: '40' },
    ],
  },
)
const DATE = '2026-06-15'
const LINE = { item: 'open', quantity: '2' }
const SALES: PricingCaller = { ...ANYBODY, role: 'sales' }
const NORTH: PricingCaller = { ...ANYBODY, role: 'channel', channel: 'north' }
const JUNE = { from: '2026-06-01', to: '2026-07-01' }

function errorsOf(state: unknown, caller = SALES, date = DATE): string[] {
  const outcome = quote(BOOK, offerStateSchema.parse(state), caller, date)
  if (outcome.kind === 'quoted') return []
  return outcome.errors.map(({ code, path }) => `${code} ${path}`)
}

describe('a state is refused', () => {
  const lines = [LINE]
  const percent = (value: string) => ({ kind: 'percent', value })
  const cases: readonly (readonly [what: string, state: object, error: string])[] = [
    [
      'an item that is not there',
      { lines: [{ ...LINE, item: 'x' }] },
      'unknown_item /lines/0/item',
    ],
    [
      'an item of a channel',
      { lines: [{ ...LINE, item: 'secret' }] },
      'unknown_item /lines/0/item',
    ],
    ['an item without a price there', { lines, currency: 'EUR' }, 'no_price /lines/0/item'],
    ['a currency without prices', { lines, currency: 'KWD' }, 'unknown_currency /currency'],
    ['a region that is not there', { lines, region: 'asia' }, 'unknown_region /region'],
    ['a term that is not there', { lines, term: 'x' }, 'unknown_term /term'],
    ['a term of a channel', { lines, term: 'secret-term' }, 'unknown_term /term'],
    [
      'too little',
      { lines: [{ ...LINE, quantity: '0.5' }] },
      'quantity_out_of_range /lines/0/quantity',
    ],
    [
      'too much',
      { lines: [{ ...LINE, quantity: '100.5' }] },
      'quantity_out_of_range /lines/0/quantity',
    ],
    [
      'a part of a step',
      { lines: [{ ...LINE, quantity: '1.2' }] },
      'quantity_between_steps /lines/0/quantity',
    ],
    [
      'transactions of a price by unit',
      { lines: [{ ...LINE, transactions: ['2'] }] },
      'transactions_not_expected /lines/0/transactions',
    ],
    [
      'transactions of another sum',
      { lines: [{ item: 'fee', quantity: '5', transactions: ['2', '2.5'] }] },
      'transactions_do_not_add_up /lines/0/transactions',
    ],
    [
      'what needs another item',
      { lines: [{ ...LINE, item: 'extra' }] },
      'item_missing /lines/0/item',
    ],
    [
      'items that exclude each other',
      { lines: [LINE, { ...LINE, item: 'rival' }] },
      'items_exclude_each_other /lines/1/item',
    ],
    [
      'days without a period',
      { lines: [{ ...LINE, from: '2026-06-10' }] },
      'period_missing /period',
    ],
    [
      'a period that ends first',
      { lines, period: { from: '2026-07-01', to: '2026-06-01' } },
      'dates_out_of_order /period',
    ],
    [
      'a period that is shorter than the term',
      { lines, period: JUNE, term: 'annual' },
      'period_differs /term',
    ],
    [
      'a period of a year at a price by the month',
      {
        lines: [{ item: 'monthly', quantity: '1' }],
        period: { from: '2026-06-01', to: '2027-06-01' },
      },
      'period_differs /lines/0/item',
    ],
    [
      'more than is sold, on two lines',
      {
        lines: [
          { ...LINE, quantity: '60' },
          { ...LINE, quantity: '60' },
        ],
      },
      'quantity_out_of_range /lines/1/quantity',
    ],
    [
      'a line that ends first',
      { lines: [{ ...LINE, from: '2026-06-10', to: '2026-06-10' }], period: JUNE },
      'dates_out_of_order /lines/0',
    ],
    [
      'a line outside the period',
      { lines: [{ ...LINE, from: '2026-05-31' }], period: JUNE },
      'dates_outside_period /lines/0',
    ],
    ['a promotion that ended', { lines, promotions: ['OLD'] }, 'promotion_not_valid /promotions/0'],
    [
      'a promotion in another currency',
      { lines, promotions: ['EUROS'] },
      'promotion_not_valid /promotions/0',
    ],
    [
      'a promotion of a channel',
      { lines, promotions: ['NORTH'] },
      'promotion_not_valid /promotions/0',
    ],
    [
      'a promotion for other items',
      { lines, promotions: ['FEES'] },
      'promotion_not_valid /promotions/0',
    ],
    [
      'a promotion that nobody made',
      { lines, promotions: ['x'] },
      'promotion_not_valid /promotions/0',
    ],
    [
      'a promotion twice',
      { lines, promotions: ['GOOD', 'GOOD'] },
      'promotion_repeated /promotions/1',
    ],
    [
      'more than all off',
      { lines, discount: percent('100.1') },
      'percent_above_hundred /discount/value',
    ],
    [
      'parts of a cent off',
      { lines, discount: { kind: 'amount', value: '0.005' } },
      'too_many_digits /discount/value',
    ],
    [
      'parts of a cent of tax',
      { lines, taxes: [{ name: 'T', kind: 'amount', value: '0.005' }] },
      'too_many_digits /taxes/0/value',
    ],
    [
      'parts of a cent of credit',
      { lines, credits: [{ name: 'C', amount: '0.005' }] },
      'too_many_digits /credits/0/amount',
    ],
    [
      'too much off the line',
      { lines: [{ ...LINE, discount: percent('10.1') }] },
      'discount_above_limit /lines/0/discount',
    ],
    [
      'too large an amount off the line',
      { lines: [{ ...LINE, discount: { kind: 'amount', value: '2.01' } }] },
      'discount_above_limit /lines/0/discount',
    ],
    [
      'too much off the offer',
      { lines, discount: percent('10.1') },
      'discount_above_limit /discount',
    ],
    [
      'too large an amount off the offer',
      { lines, discount: { kind: 'amount', value: '2.01' } },
      'discount_above_limit /discount',
    ],
    [
      'too much together',
      { lines: [{ ...LINE, discount: percent('6') }], discount: percent('5') },
      'discount_above_limit /lines/0/discount',
    ],
  ]

  it.each(cases)('%s', (_, state, error) => {
    expect(errorsOf(state)).toEqual([error])
  })

  it('on a day before or after the book', () => {
    expect(errorsOf({ lines }, SALES, '2025-12-31')).toEqual(['price_book_not_in_force '])
    expect(errorsOf({ lines }, SALES, '2027-01-01')).toEqual(['price_book_not_in_force '])
    expect(errorsOf({ lines }, SALES, '2026-12-31')).toEqual([])
    expect(catalogFor(BOOK, SALES, '2027-01-01').kind).toBe('refused')
  })

  it('for all that is wrong at once', () => {
    const state = {
      lines: [
        { ...LINE, item: 'x' },
        { ...LINE, quantity: '0' },
      ],
      term: 'y',
      promotions: ['z'],
    }
    expect(errorsOf(state)).toEqual([
      'unknown_term /term',
      'unknown_item /lines/0/item',
      'quantity_out_of_range /lines/1/quantity',
      'promotion_not_valid /promotions/0',
    ])
  })

  it('with every code that there is', () => {
    const codes = new Set(cases.map(([, , error]) => error.split(' ')[0]))
    codes.add('price_book_not_in_force')
    expect([...codes].sort()).toEqual([...PRICING_ERROR_CODES].sort())
  })
})

describe('a state is taken', () => {
  const lines = [LINE]
  it.each([
    ['exactly the limit', { lines, discount: { kind: 'percent', value: '10' } }],
    ['exactly the limit as an amount', { lines, discount: { kind: 'amount', value: '2' } }],
    [
      'exactly the limit in two parts',
      {
        lines: [{ ...LINE, discount: { kind: 'amount', value: '1' } }],
        discount: { kind: 'percent', value: '5' },
      },
    ],
    [
      'a period as long as the term, over the end of a leap February',
      {
        lines: [{ item: 'monthly', quantity: '1' }],
        period: { from: '2027-02-28', to: '2028-02-28' },
        term: 'annual',
      },
    ],
    [
      'a period of one month from the 31st on',
      {
        lines: [{ item: 'monthly', quantity: '1' }],
        period: { from: '2026-05-31', to: '2026-06-30' },
      },
    ],
    ['any period for what is paid once', { lines, period: JUNE }],
    ['with what it needs', { lines: [LINE, { item: 'extra', quantity: '1' }] }],
  ])('%s', (_, state) => {
    expect(errorsOf(state)).toEqual([])
  })

  it('nothing off by hand without a role, all that the role in its channel may', () => {
    const state = (value: string) => ({ lines, discount: { kind: 'percent', value } })
    expect(errorsOf(state('0.1'), ANYBODY)).toEqual(['discount_above_limit /discount'])
    expect(errorsOf(state('40'), NORTH)).toEqual([])
    expect(errorsOf(state('40'), { ...NORTH, channel: null })).toEqual([
      'discount_above_limit /discount',
    ])
  })
})

describe('another channel', () => {
  const texts = (state: object, caller: PricingCaller) =>
    JSON.stringify(quote(BOOK, offerStateSchema.parse(state), caller, DATE))
  const replaced = (text: string, from: string, to: string) => text.replaceAll(from, to)
  const states: readonly (readonly [name: string, make: (name: string) => OfferState | object])[] =
    [
      ['secret', (item) => ({ lines: [{ item, quantity: '1' }] })],
      ['secret', (item) => ({ lines: [{ item, quantity: '1' }], promotions: ['FEES'] })],
      ['secret-term', (term) => ({ lines: [LINE], term })],
      ['NORTH', (code) => ({ lines: [LINE], promotions: [code] })],
    ]

  it.each(states)('answers %s to others as what does not exist, to the byte', (name, make) => {
    for (const caller of [ANYBODY, SALES, { ...SALES, channel: 'south' }]) {
      const answer = texts(make(name), caller)
      expect(answer).toBe(replaced(texts(make('no-such'), caller), 'no-such', name))
    }
  })

  it('sees its own', () => {
    expect(
      errorsOf(
        { lines: [{ item: 'secret', quantity: '1' }], term: 'secret-term', promotions: ['NORTH'] },
        NORTH,
      ),
    ).toEqual([])
    const names = [ANYBODY, NORTH].map((caller) => JSON.stringify(catalogFor(BOOK, caller, DATE)))
    expect(names.map((text) => text.includes('secret'))).toEqual([false, true])
  })
})
