// Price books, states of offers and callers by chance, for properties of the pricing engine.
import fc from 'fast-check'
import type { PricingCaller } from '../../../schemas/portal/pricing/caller.ts'
import { PRICING_ROLES } from '../../../schemas/portal/pricing/caller.ts'
import type { OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import { addUp, print, read } from '../reference/pricing/fraction.ts'

export const DATE = '2026-06-15'
const CURRENCIES = ['USD', 'JPY', 'KWD'] as const
const DIGITS = { USD: 2, JPY: 0, KWD: 3 }
const CHANNELS = ['north', 'south'] as const
const REGIONS = ['eu', 'asia'] as const
const SKUS = ['a', 'b', 'c', 'd'] as const

/** A decimal number below `most`, of at most `digits` digits after the point. */
export function decimalBelow(most: number, digits: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(most - 1), fc.nat(10 ** digits - 1), fc.nat(digits))
    .map(([before, after, kept]) => {
      const fraction = String(after).padStart(digits, '0').slice(0, kept)
      return fraction === '' ? String(before) : `${before}.${fraction}`
    })
}

const price = decimalBelow(200, 4)
const fee = fc.oneof(fc.constant('0'), decimalBelow(50, 2))
const freeUnits = fc.oneof(fc.constant('0'), decimalBelow(20, 1))
const percent = decimalBelow(60, 2)
const quantity = fc.oneof(
  fc.nat(40).map(String),
  decimalBelow(50, 3),
  fc.nat(1_000_000).map(String),
)

function tiersOf<Value>(value: fc.Arbitrary<Value>) {
  return fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
      fc.infiniteStream(value),
    )
    .map(([bounds, values]) => {
      const ends = [...bounds.sort((a, b) => a - b).map(String), null]
      return ends.map((upTo) => ({ upTo, ...values.next().value }))
    })
}

export const model = fc.oneof(
  fc.record({ kind: fc.constant('flat'), amount: price }),
  fc.record({ kind: fc.constant('per_unit'), unitPrice: price, freeUnits }),
  fc.record({
    kind: fc.constantFrom('graduated', 'volume'),
    tiers: tiersOf(fc.record({ unitPrice: price, flatFee: fee })),
  }),
  fc.record({
    ...{ kind: fc.constant('package'), packagePrice: price, freeUnits },
    size: fc.integer({ min: 1, max: 12 }).map((size) => `${size}.5`),
  }),
  fc.record({
    ...{ kind: fc.constant('percentage'), percent: decimalBelow(300, 3), fixedFee: fee },
    freeAmount: fc.option(decimalBelow(30, 2)),
    freeTransactions: fc.option(fc.nat(3)),
    minimumPerTransaction: fc.option(decimalBelow(3, 2)),
    maximumPerTransaction: fc.option(decimalBelow(40, 2).map((text) => `1${text}`)),
  }),
  fc.record({
    kind: fc.constant('graduated_percentage'),
    tiers: tiersOf(fc.record({ percent, flatFee: fee })),
  }),
  fc.record({
    ...{ kind: fc.constant('commitment'), amount: price, includedUnits: freeUnits },
    overagePrice: price,
  }),
)

/** Prices that never overlap: each currency, region, channel and half of the year once at most. */
function pricesOf(channels: readonly (string | null)[]) {
  const places = CURRENCIES.flatMap((currency) =>
    [null, ...REGIONS].flatMap((region) =>
      channels.flatMap((channel) =>
        [
          { from: null, to: '2026-06-01' },
          { from: '2026-06-01', to: null },
        ].map((span) => ({ currency, region, channel, ...span })),
      ),
    ),
  )
  const one = fc.record({
    model,
    per: fc.constantFrom('once', 'month', 'year'),
    minimum: fc.option(decimalBelow(30, 2)),
    maximum: fc.option(fc.integer({ min: 100, max: 1900 }).map((value) => `${value}.5`)),
  })
  return fc
    .tuple(fc.shuffledSubarray(places, { minLength: 4 }), fc.infiniteStream(one))
    .map(([chosen, values]) => chosen.map((place) => ({ ...place, ...values.next().value })))
}

const channelOrAll = fc.option(fc.constantFrom(...CHANNELS))

function itemOf(sku: string) {
  return fc
    .oneof(fc.constant([null]), fc.constant([null, ...CHANNELS]), fc.constant(['north']))
    .chain((channels) =>
      fc.record({
        sku: fc.constant(sku),
        name: fc.constant(`Item ${sku}`),
        unit: fc.constant({ one: 'unit', many: 'units' }),
        excludes: sku === 'a' ? fc.constantFrom([], [], ['d']) : fc.constant([]),
        volumeDiscounts: fc.constantFrom(
          [],
          [
            { from: '5', percent: '2.5' },
            { from: '30', percent: '12' },
          ],
        ),
        prices: pricesOf(channels),
      }),
    )
}

const amounts = fc
  .shuffledSubarray([...CURRENCIES], { minLength: 1 })
  .chain((currencies) =>
    fc.tuple(
      ...currencies.map((currency) =>
        fc.record({ currency: fc.constant(currency), amount: fc.nat(300).map(String) }),
      ),
    ),
  )

function promotionOf(code: string) {
  return fc.record({
    code: fc.constant(code),
    name: fc.constant(`Promotion ${code}`),
    from: fc.constantFrom('2026-01-01', '2026-06-10'),
    to: fc.constantFrom(null, '2026-07-01', '2026-06-12'),
    off: fc.oneof(
      fc.record({ kind: fc.constant('percent'), percent, max: fc.oneof(fc.constant([]), amounts) }),
      fc.record({ kind: fc.constant('amount'), amounts }),
    ),
    items: fc.option(fc.shuffledSubarray([...SKUS], { minLength: 1 })),
    channels: fc.option(fc.shuffledSubarray([...CHANNELS], { minLength: 1 })),
  })
}

const term = (id: string, months: number) =>
  fc.record({
    ...{ id: fc.constant(id), name: fc.constant(`${months} months`), months: fc.constant(months) },
    discountPercent: fc.constantFrom('0', '7.5', '33.3'),
    channel: channelOrAll,
  })

/** A document that is valid, as JSON would give it. */
export const bookDocument = fc.record({
  format: fc.constant('logeye.pricebook/1'),
  id: fc.constant('random'),
  version: fc.constant('1'),
  effectiveFrom: fc.constant('2026-01-01'),
  currencies: fc.constant([...CURRENCIES]),
  regions: fc.constant(REGIONS.map((id) => ({ id, name: id }))),
  channels: fc.constant(CHANNELS.map((id) => ({ id, name: `Channel ${id}` }))),
  terms: fc.tuple(term('short', 1), term('half', 6), term('long', 36)),
  items: fc.tuple(...SKUS.map(itemOf)),
  promotions: fc.tuple(promotionOf('ONE'), promotionOf('TWO')),
  discountLimits: fc.tuple(
    fc.record({ role: fc.constant('sales'), channel: fc.constant(null), percent }),
    fc.record({ role: fc.constant('channel'), channel: channelOrAll, percent }),
    fc.record({
      ...{ role: fc.constant('operator'), channel: fc.constant(null) },
      percent: fc.constant('100'),
    }),
  ),
})

export const anyCaller: fc.Arbitrary<PricingCaller> = fc.record({
  channel: fc.option(fc.constantFrom(...CHANNELS, 'unheard-of')),
  region: fc.option(fc.constantFrom(...REGIONS)),
  currency: fc.option(fc.constantFrom(...CURRENCIES)),
  role: fc.option(fc.constantFrom(...PRICING_ROLES)),
})

const discountIn = (digits: number) =>
  fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), value: decimalBelow(30, 1) }),
    fc.record({ kind: fc.constant('amount' as const), value: decimalBelow(8, digits) }),
  )

function lineIn(digits: number, period: OfferState['period']) {
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
  return fc
    .record({
      item: fc.constantFrom(...SKUS, 'nowhere'),
      quantity,
      transactions: optional(fc.array(decimalBelow(90, 2), { minLength: 1, maxLength: 6 })),
      from: optional(fc.constantFrom('2026-06-01', '2026-06-11')),
      discount: optional(discountIn(digits)),
    })
    .map((line) => {
      const { transactions, from, ...rest } = line
      const dated = period === undefined || from === undefined ? rest : { ...rest, from }
      if (transactions === undefined) return dated
      const total = print(addUp(transactions.map(read)), 2)
      return { ...dated, transactions, quantity: total }
    })
}

/** Of the right shape; often, not always, with a price. */
export const anyState: fc.Arbitrary<OfferState> = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES),
    period: fc.constantFrom(undefined, { from: '2026-06-01', to: '2026-07-01' }),
  })
  .chain(({ currency, period }) =>
    fc.record(
      {
        lines: fc.array(lineIn(DIGITS[currency], period), { minLength: 1, maxLength: 5 }),
        currency: fc.constant(currency),
        ...(period === undefined ? {} : { period: fc.constant(period) }),
        region: fc.constantFrom(...REGIONS),
        term: fc.constantFrom('short', 'half', 'long'),
        promotions: fc.shuffledSubarray(['ONE', 'TWO'], { maxLength: 2 }),
        discount: discountIn(DIGITS[currency]),
        taxes: fc.array(
          fc.record({
            name: fc.constant('Tax'),
            kind: fc.constant('percent' as const),
            value: decimalBelow(30, 2),
          }),
          { maxLength: 2 },
        ),
        credits: fc.array(
          fc.record({ name: fc.constant('Credit'), amount: decimalBelow(200, DIGITS[currency]) }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ['lines', 'currency', ...(period === undefined ? [] : ['period' as const])] },
    ),
  )
