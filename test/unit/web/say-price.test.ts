import { expect, it } from 'vitest'
import { type PriceModel, priceModelSchema } from '../../../schemas/portal/pricing/price-model.ts'
import { sayPrice } from '../../../web/workspace/operate/say-price.ts'

const tiers = [
  { upTo: '25', unitPrice: '27.50' },
  { upTo: null, unitPrice: '21', flatFee: '100' },
]

it.each<[unknown, string]>([
  [{ kind: 'flat', amount: '2400' }, '2,400 EUR'],
  [{ kind: 'per_unit', unitPrice: '21', freeUnits: '5' }, '21 EUR each, the first 5 free'],
  [{ kind: 'graduated', tiers }, '27.50 EUR each up to 25; 21 EUR each above and 100 EUR once'],
  [{ kind: 'volume', tiers }, 'all at 27.50 EUR up to 25; all at 21 EUR for more and 100 EUR once'],
  [{ kind: 'volume', tiers: [{ upTo: null, unitPrice: '45' }] }, '45 EUR each'],
  [{ kind: 'package', size: '2', packagePrice: '1900' }, '1,900 EUR for each 2 days'],
  [
    { kind: 'percentage', percent: '2.5', fixedFee: '0.30' },
    '2.5 %, 0.30 EUR for each transaction',
  ],
  [
    {
      kind: 'graduated_percentage',
      tiers: [
        { upTo: '1000', percent: '3' },
        { upTo: null, percent: '2' },
      ],
    },
    '3 % up to 1000; 2 % above',
  ],
  [
    { kind: 'commitment', amount: '500', includedUnits: '20', overagePrice: '30' },
    '500 EUR with 20 included, then 30 EUR each',
  ],
])('a price says its numbers: %j', (given, words) => {
  const model: PriceModel = priceModelSchema.parse(given)
  expect(sayPrice(model, 'EUR', 'days')).toBe(words)
})
