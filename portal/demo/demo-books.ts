// Two versions of a price book: the one before, and the one in force. Each has list prices and
// those of a channel, in euro and US dollar.
export const CHANNEL = 'north'
export const SKU = {
  logs: 'logs',
  support: 'support',
  training: 'training',
  retention: 'retention',
}

type Prices = { readonly eur: string; readonly usd: string; readonly resale: string }

/** `from`: first day, UTC; it is the version, too. */
export function makeDemoBook(from: string, prices: Prices) {
  return {
    ...{ format: 'logeye.pricebook/1', id: 'standard', version: from, effectiveFrom: from },
    currencies: ['EUR', 'USD'],
    regions: [
      { id: 'eu', name: 'European Union' },
      { id: 'us', name: 'United States' },
    ],
    channels: [{ id: CHANNEL, name: 'North Resale' }],
    terms: [
      { id: 'monthly', name: '1 month', months: 1 },
      { id: 'annual', name: '12 months', months: 12, discountPercent: '10' },
      { id: 'three-years', name: '36 months', months: 36, discountPercent: '18' },
    ],
    items: [makeLogs(prices), ...makeOthers()],
    promotions: [
      {
        ...{ code: 'WELCOME', name: 'First order', from, to: null },
        off: { kind: 'percent', percent: '5', max: [{ currency: 'EUR', amount: '500' }] },
      },
    ],
    discountLimits: [
      { role: 'sales', percent: '20' },
      { role: 'channel', percent: '10' },
      { role: 'operator', percent: '100' },
    ],
    grantLimits: ['EUR', 'USD'].map((currency) => ({
      ...{ currency, credit: '5000', volumeBytesPerDay: 200_000_000_000 },
    })),
  }
}

function makeLogs({ eur, usd, resale }: Prices) {
  const tiers = (first: string, second: string) => ({
    kind: 'graduated',
    tiers: [
      { upTo: '25', unitPrice: first },
      { upTo: null, unitPrice: second },
    ],
  })
  return {
    ...{ sku: SKU.logs, name: 'Log volume', description: 'What is taken in each day.' },
    unit: { one: 'GB a day', many: 'GB a day' },
    features: ['Search over everything that is kept', 'Unlimited users'],
    quantity: { min: '1', step: '1' },
    volumeDiscounts: [{ from: '100', percent: '5' }],
    prices: [
      { currency: 'EUR', per: 'month', model: tiers(eur, resale), minimum: '100' },
      { currency: 'USD', per: 'month', model: tiers(usd, eur) },
      ...['EUR', 'USD'].map((currency) => ({
        ...{ currency, channel: CHANNEL, per: 'month' },
        model: { kind: 'per_unit', unitPrice: resale },
      })),
    ],
  }
}

function makeOthers() {
  const both = (per: string, model: object) =>
    ['EUR', 'USD'].map((currency) => ({ currency, per, model }))
  return [
    {
      ...{ sku: SKU.support, name: 'Support', description: 'Answers around the clock.' },
      ...{ unit: { one: 'contract', many: 'contracts' }, requires: [SKU.logs] },
      prices: both('year', { kind: 'flat', amount: '2400' }),
    },
    {
      ...{ sku: SKU.retention, name: 'Retention', unit: { one: 'month', many: 'months' } },
      ...{ description: 'Each further month that logs are kept.', requires: [SKU.logs] },
      prices: both('month', { kind: 'volume', tiers: [{ upTo: null, unitPrice: '45' }] }),
    },
    {
      ...{ sku: SKU.training, name: 'Training', unit: { one: 'day', many: 'days' } },
      prices: both('once', { kind: 'package', size: '2', packagePrice: '1900' }),
    },
  ]
}
