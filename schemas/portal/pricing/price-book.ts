// The price book: one JSON document with all prices of one time, imported by an operator and never
// changed once it was used (decision 9.8). What is checked beyond the shape is in
// portal/pricing/engine/book/; docs/reference/price-book.md explains it with an example.
import { z } from 'zod'
import { PRICING_ROLES } from './caller.ts'
import { priceModelSchema } from './price-model.ts'
import { currencyCode, dateText, decimalText, identifier, shortText } from './values.ts'

const MAX_ITEMS = 2000
const MAX_PRICES = 500
const MAX_LIST = 200
const MAX_MONTHS = 120

const from = dateText.meta({ description: 'First day, UTC.', examples: ['2026-01-01'] })
const to = dateText
  .nullable()
  .meta({ description: 'First day after it, UTC; null: no end.', examples: ['2027-01-01'] })

const channelOrAll = identifier
  .nullable()
  .default(null)
  .meta({ description: 'For callers of this channel alone; null: for everybody.' })

const currencyAmount = z
  .strictObject({
    currency: currencyCode.meta({ description: 'ISO 4217.' }),
    amount: decimalText.meta({ description: 'In this currency.' }),
  })
  .meta({ id: 'CurrencyAmount', description: 'An amount of money in one currency.' })

const amounts = z.array(currencyAmount).max(MAX_LIST)

export const unitSchema = z
  .strictObject({
    one: shortText.meta({ description: 'For exactly 1.', examples: ['GB a day'] }),
    many: shortText.meta({ description: 'For any other quantity.', examples: ['GB a day'] }),
  })
  .meta({ id: 'PricedUnit', description: 'What a quantity counts, in words.' })

export const quantityRangeSchema = z
  .strictObject({
    min: decimalText.default('0').meta({ description: 'Least quantity of a line.' }),
    max: decimalText
      .nullable()
      .default(null)
      .meta({ description: 'Greatest quantity of a line; null: any.' }),
    step: decimalText
      .nullable()
      .default(null)
      .meta({ description: 'Quantities are multiples of it; null: any.' }),
  })
  .meta({ id: 'QuantityRange', description: 'Quantities in which an item is sold.' })

export const volumeDiscountSchema = z
  .strictObject({
    from: decimalText.meta({ description: 'From this quantity on, itself included.' }),
    percent: decimalText.meta({ description: 'Percent off the whole line, 0 to 100.' }),
  })
  .meta({ id: 'VolumeDiscount', description: 'Off the whole line from a quantity on.' })

export const PRICE_PERIODS = ['once', 'month', 'year'] as const
export const pricePeriod = z
  .enum(PRICE_PERIODS)
  .meta({ description: 'What the price is for: one payment, each month or each year.' })

export const priceSchema = z
  .strictObject({
    currency: currencyCode.meta({ description: 'ISO 4217; a currency of the book.' }),
    region: identifier.nullable().default(null).meta({
      description: 'For this region alone, where it goes before a price without; null: for all.',
    }),
    channel: channelOrAll,
    from: dateText.nullable().default(null).meta({
      description: 'First day of this price, UTC; null: as long as the book.',
    }),
    to: dateText
      .nullable()
      .default(null)
      .meta({ description: 'First day after it, UTC; null: as long as the book.' }),
    per: pricePeriod,
    model: priceModelSchema,
    minimum: decimalText
      .nullable()
      .default(null)
      .meta({ description: 'Least charge of a line for one period; null: none.' }),
    maximum: decimalText
      .nullable()
      .default(null)
      .meta({ description: 'Greatest charge of a line for one period; null: none.' }),
  })
  .meta({ id: 'Price', description: 'A price of an item: for whom, from when, and how much.' })

export const featureSchema = shortText.meta({ examples: ['Retention of 365 days'] })

const itemSchema = z
  .strictObject({
    sku: identifier.meta({ description: 'Its name in offers; unique.', examples: ['logs-day'] }),
    name: shortText.meta({ description: 'As a buyer reads it.' }),
    description: z.string().max(2000).default('').meta({ description: 'For the catalog.' }),
    unit: unitSchema.meta({ description: 'What its quantity counts.' }),
    features: z
      .array(featureSchema)
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'What it brings, for the catalog.' }),
    requires: z.array(identifier).max(MAX_LIST).default([]).meta({
      description: 'Items that must be in the same offer; sold to everybody that it is sold to.',
    }),
    excludes: z
      .array(identifier)
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'Items that may not be in the same offer.' }),
    quantity: quantityRangeSchema
      .default({ min: '0', max: null, step: null })
      .meta({ description: 'Quantities in which it is sold; any without this.' }),
    volumeDiscounts: z
      .array(volumeDiscountSchema)
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'By ascending quantity; the last one reached counts.' }),
    prices: z.array(priceSchema).min(1).max(MAX_PRICES).meta({
      description: 'One for each currency, region, channel and time; none overlap.',
    }),
  })
  .meta({ id: 'PriceBookItem', description: 'Something that is sold.' })

const termSchema = z
  .strictObject({
    id: identifier.meta({ description: 'Its name in offers; unique.', examples: ['annual'] }),
    name: shortText.meta({ description: 'As a buyer reads it.', examples: ['12 months'] }),
    months: z.int().min(1).max(MAX_MONTHS).meta({ description: 'Length in months.' }),
    discountPercent: decimalText
      .default('0')
      .meta({ description: 'Percent off prices by month or year, 0 to 100.' }),
    channel: channelOrAll,
  })
  .meta({ id: 'PriceBookTerm', description: 'For how long a buyer signs.' })

const promotionSchema = z
  .strictObject({
    code: identifier.meta({ description: 'What a buyer gives; unique.', examples: ['SPRING26'] }),
    name: shortText.meta({ description: 'As a buyer reads it.' }),
    from: from.meta({ description: 'First day on which it is valid, UTC.' }),
    to: to.meta({ description: 'First day after it, UTC; null: no end.' }),
    off: z
      .discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('percent').meta({ description: 'Percent of each line.' }),
          percent: decimalText.meta({ description: 'Percent off, 0 to 100.' }),
          max: amounts
            .default([])
            .meta({ description: 'Most that it takes off an offer; a currency not named: any.' }),
        }),
        z.strictObject({
          kind: z.literal('amount').meta({ description: 'An amount off the whole offer.' }),
          amounts: amounts.min(1).meta({
            description: 'Shared by the lines; not valid in a currency that is not named.',
          }),
        }),
      ])
      .meta({ description: 'What it takes off.' }),
    items: z
      .array(identifier)
      .min(1)
      .max(MAX_ITEMS)
      .nullable()
      .default(null)
      .meta({ description: 'Items that it counts for; null: all.' }),
    channels: z
      .array(identifier)
      .min(1)
      .max(MAX_LIST)
      .nullable()
      .default(null)
      .meta({ description: 'Channels whose callers may use it; null: everybody.' }),
  })
  .meta({ id: 'Promotion', description: 'A code that makes an offer cheaper for a time.' })

const discountLimitSchema = z
  .strictObject({
    role: z.enum(PRICING_ROLES).meta({ description: 'Of the caller.' }),
    channel: channelOrAll,
    percent: decimalText.meta({
      description: 'Most that this role may take off a line, 0 to 100.',
    }),
  })
  .meta({ id: 'DiscountLimit', description: 'What a role may give; 0 without one.' })

const grantLimitSchema = z
  .strictObject({
    currency: currencyCode.meta({ description: "ISO 4217; of the customer's credits." }),
    credit: decimalText.meta({ description: 'Most credits of one offer.' }),
    volumeBytesPerDay: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .meta({ description: 'Most volume of a plan; null: any, also a plan without a limit.' }),
    leastCreditPricePerGib: decimalText
      .default('0')
      .meta({ description: 'Least price of a plan for a GiB, in credits; 0: also none.' }),
  })
  .meta({
    id: 'GrantLimit',
    description: 'What an offer may give before an operator has to approve it.',
  })

const named = (what: string) =>
  z.strictObject({
    id: identifier.meta({ description: `Name of the ${what}; unique.` }),
    name: shortText.meta({ description: 'As a reader knows it.' }),
  })

export const priceBookSchema = z
  .strictObject({
    format: z.literal('logeye.pricebook/1').meta({ description: 'Form of this document.' }),
    id: identifier.meta({ description: 'Same in all versions.', examples: ['standard'] }),
    version: identifier.meta({ description: 'Differs in each.', examples: ['2026.1'] }),
    effectiveFrom: from.meta({ description: 'First day on which it is in force, UTC.' }),
    effectiveTo: to.default(null).meta({ description: 'First day after it, UTC; null: no end.' }),
    currencies: z.array(currencyCode).min(1).max(MAX_LIST).meta({
      description: 'ISO 4217; the first counts for callers that name none.',
    }),
    regions: z
      .array(named('region').meta({ id: 'PriceRegion', description: 'A region with own prices.' }))
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'Regions that offers may name; everybody sees them.' }),
    channels: z
      .array(named('channel').meta({ id: 'PriceChannel', description: 'A way of selling.' }))
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'Channels with own prices; nobody sees another one than his own.' }),
    terms: z
      .array(termSchema)
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'Terms that offers may name.' }),
    items: z
      .array(itemSchema)
      .min(1)
      .max(MAX_ITEMS)
      .meta({ description: 'All that is sold; the catalog keeps their order.' }),
    promotions: z
      .array(promotionSchema)
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'Codes that make offers cheaper.' }),
    discountLimits: z
      .array(discountLimitSchema)
      .max(MAX_LIST)
      .default([])
      .meta({ description: 'What each role may take off by hand.' }),
    grantLimits: z.array(grantLimitSchema).max(MAX_LIST).default([]).meta({
      description:
        'Credits and plans that sales may offer without an operator; nothing in a currency that is not named.',
    }),
  })
  .meta({ id: 'PriceBook', description: 'All prices of one time.' })

/** Parsed, with its defaults, and valid beyond its shape: only readPriceBook makes one. */
export type PriceBook = Readonly<z.output<typeof priceBookSchema>>
export type PriceBookItem = PriceBook['items'][number]
export type Price = PriceBookItem['prices'][number]
export type PriceBookTerm = PriceBook['terms'][number]
export type Promotion = PriceBook['promotions'][number]
export type PricedUnit = PriceBookItem['unit']
