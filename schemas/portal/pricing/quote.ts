// What the pricing engine answers to the state of an offer (decision 9.9). Every amount is text
// with the digits of the currency.
import { z } from 'zod'
import { pricePeriod } from './price-book.ts'
import { moneyText } from './values.ts'

const text = z.string()
const count = z.int().min(0)
const money = (description: string) => moneyText.meta({ description, examples: ['12.00'] })
const currency = text.meta({ description: 'ISO 4217, of all amounts.', examples: ['EUR'] })
const region = text.nullable().meta({ description: 'Whose prices count; null: none was named.' })

export const priceBookReference = z
  .strictObject({
    id: text.meta({ description: 'Of the price book.' }),
    version: text.meta({ description: 'Of the price book.' }),
  })
  .meta({ id: 'PriceBookReference', description: 'The price book whose prices these are.' })

/** Stable: callers may rely on them. */
export const PRICING_ERROR_CODES = [
  'price_book_not_in_force',
  'unknown_currency',
  'unknown_region',
  'unknown_term',
  'unknown_item',
  'no_price',
  'quantity_out_of_range',
  'quantity_between_steps',
  'transactions_not_expected',
  'transactions_do_not_add_up',
  'item_missing',
  'items_exclude_each_other',
  'period_missing',
  'period_differs',
  'dates_out_of_order',
  'dates_outside_period',
  'promotion_not_valid',
  'promotion_repeated',
  'percent_above_hundred',
  'too_many_digits',
  'discount_above_limit',
] as const

export const pricingErrorSchema = z
  .strictObject({
    code: z.enum(PRICING_ERROR_CODES).meta({ description: 'Stable name of what is wrong.' }),
    message: text.meta({ description: 'What is wrong and what to do.' }),
    path: text.meta({
      description: 'JSON pointer to it in the state of the offer; empty: the whole.',
      examples: ['/lines/0/quantity'],
    }),
  })
  .meta({ id: 'PricingError', description: 'Why a state cannot be priced.' })

export const PRICING_WARNING_CODES = ['mixed_periods', 'more_costs_less'] as const

const pricingWarning = z
  .strictObject({
    code: z.enum(PRICING_WARNING_CODES).meta({ description: 'Stable name of what is odd.' }),
    message: text.meta({ description: 'What is odd, in words.' }),
    path: text.meta({ description: 'JSON pointer to it in the state; empty: the whole.' }),
  })
  .meta({ id: 'PricingWarning', description: 'What a buyer may not expect.' })

export const DISCOUNT_SOURCES = ['volume', 'term', 'promotion', 'line', 'offer'] as const

const discountTaken = z
  .strictObject({
    source: z
      .enum(DISCOUNT_SOURCES)
      .meta({ description: 'Of the price book (volume, term, promotion), or by hand.' }),
    name: text.meta({ description: 'As printed.' }),
    amount: money('What it takes off the line.'),
  })
  .meta({ id: 'DiscountTaken', description: 'A discount of a line, in the order taken.' })

const quotedLine = z
  .strictObject({
    item: text.meta({ description: 'The sku of the item.' }),
    name: text.meta({ description: 'Of the item, as a buyer reads it.' }),
    quantity: text.meta({ description: 'As it was given, without superfluous zeros.' }),
    unit: text.meta({ description: 'What the quantity counts.' }),
    per: pricePeriod,
    periods: text.meta({
      description: 'Periods that the line is for: 12 for a price by month and a term of a year.',
    }),
    days: count
      .nullable()
      .meta({ description: 'Of the line, if it is for a part of the period; else null.' }),
    periodDays: count
      .nullable()
      .meta({ description: 'Of the period, if the line is for a part of it; else null.' }),
    unitPrice: text.nullable().meta({
      description: 'Price of each unit for one period; null: units have no common price.',
    }),
    list: money('Before discounts.'),
    discounts: z.array(discountTaken).meta({ description: 'In the order taken.' }),
    net: money('List less discounts.'),
    explanation: z
      .array(text)
      .meta({ description: 'How the number comes about, in sentences that a buyer reads.' }),
  })
  .meta({ id: 'QuotedLine', description: 'A priced line of the offer.' })

const totals = z
  .strictObject({
    list: money('Sum of the lines before discounts.'),
    discounts: money('Sum of all discounts.'),
    net: money('List less discounts: the sum of the lines.'),
    taxes: z
      .array(
        z.strictObject({
          name: text.meta({ description: 'As given.' }),
          amount: money('In the currency of the offer.'),
        }),
      )
      .meta({ description: 'Each tax as given.' }),
    tax: money('Sum of the taxes.'),
    credits: z
      .array(
        z.strictObject({
          name: text.meta({ description: 'As given.' }),
          applied: money('Used here.'),
          left: money('Still there after it.'),
        }),
      )
      .meta({ description: 'Each credit as given.' }),
    creditsApplied: money('Sum of the credits used.'),
    due: money('Net and tax less credits.'),
  })
  .meta({ id: 'QuoteTotals', description: 'Sums of an offer.' })

const term = z
  .strictObject({
    id: text.meta({ description: 'Of the price book.' }),
    name: text.meta({ description: 'As a buyer reads it.' }),
    months: count.meta({ description: 'Its length.' }),
  })
  .nullable()
  .meta({ description: 'For how long; null: one period of each line.' })

export const quoteSchema = z
  .strictObject({
    priceBook: priceBookReference,
    date: text.meta({ description: 'Day whose prices count, UTC.', examples: ['2026-01-31'] }),
    currency,
    region,
    term,
    months: count.nullable().default(null).meta({
      description:
        'How long the offer is for: its term, else the one period of its prices; null: paid once, or prices of several periods without a term.',
    }),
    lines: z.array(quotedLine).meta({ description: 'In the order of the state.' }),
    totals,
    warnings: z.array(pricingWarning).meta({ description: 'What a buyer may not expect.' }),
  })
  .meta({ id: 'Quote', description: 'A priced offer.' })

export const quoteOutcomeSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('quoted').meta({ description: 'The state has a price.' }),
      quote: quoteSchema,
    }),
    z.strictObject({
      kind: z.literal('refused').meta({ description: 'The state cannot be priced.' }),
      errors: z.array(pricingErrorSchema).min(1).meta({ description: 'All that is wrong.' }),
    }),
  ])
  .meta({ id: 'QuoteOutcome', description: 'A quote, or why there is none.' })

const difference = z
  .strictObject({
    list: money('Of this state less the first; negative: it is cheaper.'),
    discounts: money('Of this state less the first.'),
    net: money('Of this state less the first.'),
    tax: money('Of this state less the first.'),
    due: money('Of this state less the first.'),
  })
  .nullable()
  .meta({
    description: 'To the first state; null: one of the two has no price, or another currency.',
  })

export const whatIfSchema = z
  .strictObject({
    outcomes: z.array(quoteOutcomeSchema).meta({ description: 'In the order of the states.' }),
    differences: z.array(difference).meta({ description: 'In the same order.' }),
  })
  .meta({ id: 'WhatIf', description: 'Several states priced, and how they differ.' })

export type Quote = Readonly<z.output<typeof quoteSchema>>
export type QuotedLine = Quote['lines'][number]
export type QuoteTotals = Quote['totals']
export type QuoteOutcome = Readonly<z.output<typeof quoteOutcomeSchema>>
export type WhatIf = Readonly<z.output<typeof whatIfSchema>>
export type PricingError = Readonly<z.output<typeof pricingErrorSchema>>
export type PricingErrorCode = PricingError['code']
export type PricingWarning = Quote['warnings'][number]
export type DiscountTaken = QuotedLine['discounts'][number]
