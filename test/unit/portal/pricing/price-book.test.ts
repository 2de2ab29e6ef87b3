// Mistakes in a price book: each is told with its place.
import { describe, expect, it } from 'vitest'
import { readPriceBook } from '../../../../portal/pricing/engine/book/read-price-book.ts'
import { makeDocument, makeItem } from '../../../support/pricing/small-book.ts'

const perUnit = { model: { kind: 'per_unit', unitPrice: '10' } }
const good = makeItem('good', [perUnit])
const eu = { regions: [{ id: 'eu', name: 'EU' }] }
const north = { channels: [{ id: 'north', name: 'North' }] }
const promotion = {
  ...{ code: 'P', name: 'P', from: '2026-01-01', to: null },
  off: { kind: 'percent', percent: '5' },
}

function problemsOf(document: unknown): string[] {
  const read = readPriceBook(document)
  return read.kind === 'read' ? [] : read.problems.map(({ path, message }) => `${path}: ${message}`)
}

const withModel = (model: object) => makeDocument([makeItem('a', [{ model }])])
const tiers = (...ends: (string | null)[]) =>
  withModel({ kind: 'graduated', tiers: ends.map((upTo) => ({ upTo, unitPrice: '1' })) })

describe('a price book is refused for', () => {
  it.each([
    ['an unknown field', makeDocument([good], { extra: 1 }), ': Unrecognized key: "extra"'],
    [
      'a number that is no text',
      withModel({ kind: 'flat', amount: 1 }),
      '/items/0/prices/0/model/amount: Invalid input',
    ],
    [
      'a negative price',
      withModel({ kind: 'flat', amount: '-1' }),
      '/items/0/prices/0/model/amount: must be a decimal',
    ],
    [
      'an exponent',
      withModel({ kind: 'flat', amount: '1e3' }),
      '/items/0/prices/0/model/amount: must be a decimal',
    ],
    [
      'a model that is not there',
      withModel({ kind: 'magic' }),
      '/items/0/prices/0/model/kind: Invalid',
    ],
    [
      'a currency that is none',
      makeDocument([good], { currencies: ['USD', 'XXX'] }),
      '/currencies/1: must be a currency',
    ],
    [
      'a date that is none',
      makeDocument([good], { effectiveFrom: '2026-02-30' }),
      '/effectiveFrom: must be a date',
    ],
    [
      'an end before its beginning',
      makeDocument([good], { effectiveTo: '2026-01-01' }),
      '/effectiveTo: "to" is the first day after',
    ],
    ['no items', makeDocument([]), '/items: '],
    ['an item twice', makeDocument([good, good]), '/items/1/sku: "good" stands twice'],
    [
      'tiers that fall',
      tiers('10', '5', null),
      '/items/0/prices/0/model/tiers/1/upTo: tiers ascend: upTo must be more than 10',
    ],
    ['a tier of nothing', tiers('0', null), '/items/0/prices/0/model/tiers/0/upTo: tiers ascend'],
    [
      'a last tier that ends',
      tiers('10', '20'),
      '/items/0/prices/0/model/tiers/1/upTo: the last tier is open',
    ],
    [
      'a tier after an open one',
      tiers(null, null),
      '/items/0/prices/0/model/tiers/0/upTo: only the last tier is open',
    ],
    [
      'packages of nothing',
      withModel({ kind: 'package', size: '0', packagePrice: '1' }),
      '/items/0/prices/0/model/size: a package holds more than 0',
    ],
    [
      'a least above the greatest',
      withModel({
        kind: 'percentage',
        percent: '1',
        minimumPerTransaction: '2',
        maximumPerTransaction: '1',
      }),
      '/items/0/prices/0/model/maximumPerTransaction: the greatest, 1, is less',
    ],
    [
      'a minimum above the maximum',
      makeDocument([makeItem('a', [{ ...perUnit, minimum: '2', maximum: '1' }])]),
      '/items/0/prices/0/maximum: the greatest, 1,',
    ],
    [
      'quantities that no number has',
      makeDocument([makeItem('a', [perUnit], { quantity: { min: '2', max: '1' } })]),
      '/items/0/quantity/max: the greatest, 1,',
    ],
    [
      'steps of nothing',
      makeDocument([makeItem('a', [perUnit], { quantity: { step: '0' } })]),
      '/items/0/quantity/step: a step is more than 0',
    ],
    [
      'discounts that fall',
      makeDocument([
        makeItem('a', [perUnit], {
          volumeDiscounts: [
            { from: '5', percent: '1' },
            { from: '5', percent: '2' },
          ],
        }),
      ]),
      '/items/0/volumeDiscounts/1/from: quantities ascend',
    ],
    [
      'more than all off',
      makeDocument([
        makeItem('a', [perUnit], { volumeDiscounts: [{ from: '5', percent: '101' }] }),
      ]),
      '/items/0/volumeDiscounts/0/percent: at most 100 percent',
    ],
    [
      'an unknown region',
      makeDocument([makeItem('a', [{ ...perUnit, region: 'eu' }])]),
      '/items/0/prices/0/region: the book has no region "eu"',
    ],
    [
      'an unknown channel',
      makeDocument([makeItem('a', [{ ...perUnit, channel: 'x' }])]),
      '/items/0/prices/0/channel: the book has no channel "x"',
    ],
    [
      'a currency of another book',
      makeDocument([makeItem('a', [{ ...perUnit, currency: 'CHF' }])]),
      '/items/0/prices/0/currency: the book has no currency "CHF"',
    ],
    [
      'an unknown item',
      makeDocument([makeItem('a', [perUnit], { requires: ['b'] })]),
      '/items/0/requires/0: the book has no item "b"',
    ],
    [
      'an item that needs itself',
      makeDocument([makeItem('a', [perUnit], { requires: ['a'] })]),
      '/items/0/requires/0: an item cannot name itself',
    ],
    [
      'two prices for the same',
      makeDocument([makeItem('a', [perUnit, perUnit])]),
      '/items/0/prices/1: there is another price in USD',
    ],
    [
      'two prices of the same days',
      makeDocument([
        makeItem('a', [
          { ...perUnit, to: '2026-06-02' },
          { ...perUnit, from: '2026-06-01' },
        ]),
      ]),
      '/items/0/prices/1: there is another price in USD',
    ],
    [
      'an item that others cannot get',
      makeDocument(
        [
          makeItem('a', [perUnit], { requires: ['b'] }),
          makeItem('b', [{ ...perUnit, channel: 'north' }]),
        ],
        north,
      ),
      '/items/0/requires/0: "b" is not sold to all to whom "a" is sold',
    ],
    [
      'a term twice',
      makeDocument([good], {
        terms: [
          { id: 't', name: 'T', months: 1 },
          { id: 't', name: 'T', months: 2 },
        ],
      }),
      '/terms/1/id: "t" stands twice',
    ],
    [
      'a term of no months',
      makeDocument([good], { terms: [{ id: 't', name: 'T', months: 0 }] }),
      '/terms/0/months: ',
    ],
    [
      'a promotion for unknown items',
      makeDocument([good], { promotions: [{ ...promotion, items: ['x'] }] }),
      '/promotions/0/items/0: the book has no item "x"',
    ],
    [
      'a promotion of an unknown channel',
      makeDocument([good], { promotions: [{ ...promotion, channels: ['x'] }] }),
      '/promotions/0/channels/0: the book has no channel "x"',
    ],
    [
      'a promotion of parts of a cent',
      makeDocument([good], {
        promotions: [
          { ...promotion, off: { kind: 'amount', amounts: [{ currency: 'JPY', amount: '0.5' }] } },
        ],
      }),
      '/promotions/0/off/amounts/0/amount: JPY has 0 digits',
    ],
    [
      'a promotion with a currency twice',
      makeDocument([good], {
        promotions: [
          {
            ...promotion,
            off: {
              kind: 'amount',
              amounts: [
                { currency: 'JPY', amount: '1' },
                { currency: 'JPY', amount: '2' },
              ],
            },
          },
        ],
      }),
      '/promotions/0/off/amounts/1/currency: "JPY" stands twice',
    ],
    [
      'a limit twice',
      makeDocument([good], {
        discountLimits: [
          { role: 'sales', percent: '1' },
          { role: 'sales', percent: '2' },
        ],
      }),
      '/discountLimits/1: "sales" stands twice',
    ],
    [
      'a limit above all',
      makeDocument([good], { discountLimits: [{ role: 'sales', percent: '100.5' }] }),
      '/discountLimits/0/percent: at most 100',
    ],
  ])('%s', (_, document, problem) => {
    const problems = problemsOf(document)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  it('all its mistakes at once', () => {
    const document = makeDocument([makeItem('a', [{ ...perUnit, region: 'x', channel: 'y' }])])
    expect(problemsOf(document)).toHaveLength(2)
  })

  it.each([undefined, null, [], 'text', 12])('%j', (document) => {
    expect(problemsOf(document)).toHaveLength(1)
  })
})

describe('a price book may have', () => {
  it.each([
    [
      'prices one after the other',
      [
        { ...perUnit, to: '2026-06-01' },
        { ...perUnit, from: '2026-06-01' },
      ],
    ],
    ['prices for all and for a region', [perUnit, { ...perUnit, region: 'eu' }]],
    ['prices for all and for a channel', [perUnit, { ...perUnit, channel: 'north' }]],
  ])('%s', (_, prices) => {
    expect(problemsOf(makeDocument([makeItem('a', prices)], { ...eu, ...north }))).toEqual([])
  })
})
