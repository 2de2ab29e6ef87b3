// The price book in force as one caller may see it (decision 9.8).
import { z } from 'zod'
import {
  featureSchema,
  pricePeriod,
  quantityRangeSchema,
  unitSchema,
  volumeDiscountSchema,
} from './price-book.ts'
import { priceModelSchema } from './price-model.ts'
import { priceBookReference, pricingErrorSchema } from './quote.ts'

const text = z.string()
const named = z
  .strictObject({
    id: text.meta({ description: 'Its name in offers.' }),
    name: text.meta({ description: 'As a buyer reads it.' }),
  })
  .meta({ id: 'CatalogRegion', description: 'A region that offers may name.' })

const catalogTerm = z
  .strictObject({
    id: text.meta({ description: 'Its name in offers.' }),
    name: text.meta({ description: 'As a buyer reads it.' }),
    months: z.int().meta({ description: 'Its length.' }),
    discountPercent: text.meta({ description: 'Percent off prices by month or year.' }),
  })
  .meta({ id: 'CatalogTerm', description: 'A term that offers may name.' })

const catalogPrice = z
  .strictObject({
    per: pricePeriod,
    model: priceModelSchema,
    minimum: text.nullable().meta({ description: 'Least charge for one period; null: none.' }),
    maximum: text.nullable().meta({ description: 'Greatest charge for one period; null: none.' }),
    region: text.nullable().meta({ description: 'If the price is for this region alone.' }),
    channel: text.nullable().meta({ description: "The caller's channel; null: list price." }),
    to: text
      .nullable()
      .meta({ description: 'First day on which it no longer counts; null: open.' }),
    words: z.array(text).meta({ description: 'The price in sentences that a buyer reads.' }),
  })
  .meta({ id: 'CatalogPrice', description: 'The price that counts for the caller.' })

const catalogItem = z
  .strictObject({
    sku: text.meta({ description: 'Its name in offers.' }),
    name: text.meta({ description: 'As a buyer reads it.' }),
    description: text.meta({ description: 'What it is.' }),
    unit: unitSchema.meta({ description: 'What its quantity counts.' }),
    features: z.array(featureSchema).meta({ description: 'What it brings.' }),
    requires: z.array(text).meta({ description: 'Items that must be in the same offer.' }),
    excludes: z.array(text).meta({ description: 'Items that may not be in the same offer.' }),
    quantity: quantityRangeSchema.meta({ description: 'Quantities in which it is sold.' }),
    volumeDiscounts: z
      .array(volumeDiscountSchema)
      .meta({ description: 'Off the whole line from a quantity on.' }),
    price: catalogPrice,
  })
  .meta({ id: 'CatalogItem', description: 'Something that the caller can buy.' })

export const catalogSchema = z
  .strictObject({
    priceBook: priceBookReference,
    effectiveFrom: text.meta({ description: 'First day on which the book is in force, UTC.' }),
    effectiveTo: text.nullable().meta({ description: 'First day after it, UTC; null: no end.' }),
    date: text.meta({ description: 'Day whose prices these are, UTC.' }),
    currency: text.meta({ description: 'ISO 4217, of all prices.' }),
    currencies: z.array(text).meta({ description: 'In which the caller finds prices.' }),
    region: text.nullable().meta({ description: 'Whose prices these are; null: none was named.' }),
    regions: z.array(named).meta({ description: 'Regions that offers may name.' }),
    terms: z.array(catalogTerm).meta({ description: 'Terms that offers may name.' }),
    discountLimitPercent: text.meta({ description: 'What the caller may take off by hand.' }),
    items: z.array(catalogItem).meta({ description: 'In the order of the price book.' }),
  })
  .meta({ id: 'Catalog', description: 'The price book in force, as the caller may see it.' })

export const catalogOutcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('catalog').meta({ description: 'There is one.' }),
    catalog: catalogSchema,
  }),
  z.strictObject({
    kind: z.literal('refused').meta({ description: 'There is none.' }),
    errors: z.array(pricingErrorSchema).min(1).meta({ description: 'All that is wrong.' }),
  }),
])

export type Catalog = Readonly<z.output<typeof catalogSchema>>
export type CatalogOutcome = Readonly<z.output<typeof catalogOutcomeSchema>>
