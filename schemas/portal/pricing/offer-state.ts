// What a caller wants priced: the state of an offer (decision 9.9). It names items of the price
// book and says how much of each; prices are never in it.
import { z } from 'zod'
import { currencyCode, dateText, decimalText, identifier, shortText } from './values.ts'

const MAX_LINES = 500
const MAX_TRANSACTIONS = 10_000
const MAX_LIST = 50
const MAX_STATES = 20

export const DISCOUNT_KINDS = ['percent', 'amount'] as const

const manualDiscount = z
  .strictObject({
    kind: z
      .enum(DISCOUNT_KINDS)
      .meta({ description: 'percent of the price, or an amount in the currency of the offer.' }),
    value: decimalText.meta({ description: 'Percent, 0 to 100, or the amount.' }),
    reason: shortText
      .optional()
      .meta({ description: 'Shown to the buyer in the explanation of the line.' }),
  })
  .meta({
    id: 'ManualDiscount',
    description: 'Off what is left after the discounts of the price book, within the role.',
  })

const offerLine = z
  .strictObject({
    item: identifier.meta({ description: 'The sku of an item.', examples: ['logs-day'] }),
    quantity: decimalText.meta({
      description: 'How many units; for a percentage the amount it is taken of.',
      examples: ['20'],
    }),
    transactions: z.array(decimalText).min(1).max(MAX_TRANSACTIONS).optional().meta({
      description:
        'For a percentage with fees by transaction: their amounts in order; they add up to the quantity. Without them the quantity is one transaction.',
    }),
    from: dateText.optional().meta({
      description: 'First day of the line, UTC; without it that of the period. Prorates the line.',
    }),
    to: dateText.optional().meta({
      description: 'First day after the line, UTC; without it that of the period.',
    }),
    discount: manualDiscount.optional().meta({ description: 'Given by hand, off this line.' }),
  })
  .meta({ id: 'OfferLine', description: 'An item and how much of it.' })

const tax = z
  .strictObject({
    name: shortText.meta({ description: 'As printed.', examples: ['VAT 19 %'] }),
    kind: z
      .enum(DISCOUNT_KINDS)
      .meta({ description: 'percent of the net total, or an amount as given.' }),
    value: decimalText.meta({ description: 'Percent, or the amount.' }),
  })
  .meta({ id: 'GivenTax', description: 'A tax as the caller gives it; none is looked up.' })

const credit = z
  .strictObject({
    name: shortText.meta({ description: 'As printed.', examples: ['Credit of March'] }),
    amount: decimalText.meta({ description: 'What is there, in the currency of the offer.' }),
  })
  .meta({ id: 'GivenCredit', description: 'Money that the buyer has already.' })

export const offerStateSchema = z
  .strictObject({
    lines: z.array(offerLine).min(1).max(MAX_LINES).meta({ description: 'What is offered.' }),
    currency: currencyCode.optional().meta({
      description: 'ISO 4217; without it that of the caller, else the first of the price book.',
    }),
    region: identifier
      .optional()
      .meta({ description: 'A region of the price book; without it that of the caller.' }),
    term: identifier.optional().meta({
      description: 'A term of the price book. Without one each line is for one of its periods.',
    }),
    period: z
      .strictObject({
        from: dateText.meta({ description: 'First day, UTC.' }),
        to: dateText.meta({ description: 'First day after it, UTC.' }),
      })
      .optional()
      .meta({
        description: 'What full prices are for in days; a line with other days pays its share.',
      }),
    promotions: z
      .array(identifier)
      .max(MAX_LIST)
      .optional()
      .meta({ description: 'Codes, in the order in which they count.' }),
    discount: manualDiscount
      .optional()
      .meta({ description: 'Given by hand, off all lines, after their own.' }),
    taxes: z.array(tax).max(MAX_LIST).optional().meta({ description: 'Added to the net total.' }),
    credits: z
      .array(credit)
      .max(MAX_LIST)
      .optional()
      .meta({ description: 'Used in order until nothing is due.' }),
  })
  .meta({ id: 'OfferState', description: 'What is to be priced.' })

export const offerStatesSchema = z
  .strictObject({
    states: z.array(offerStateSchema).min(1).max(MAX_STATES).meta({
      description: 'Compared with the first one.',
    }),
  })
  .meta({ id: 'OfferStates', description: 'Several states of an offer, priced in one call.' })

export type OfferState = Readonly<z.output<typeof offerStateSchema>>
export type OfferLine = OfferState['lines'][number]
export type ManualDiscount = NonNullable<OfferState['discount']>
