// Price books as the portal keeps them (decision 9.8), and what catalog and quote take.
import { z } from 'zod'
import { idOf, pageQuery, timestamp } from '../common.ts'
import { offerStateSchema, offerStatesSchema } from './offer-state.ts'
import { priceBookSchema } from './price-book.ts'
import { quoteSchema, whatIfSchema } from './quote.ts'
import { currencyCode, identifier } from './values.ts'

const fields = {
  id: idOf('pbk', 'an imported price book'),
  name: z.string().meta({ description: '`id` of the document, the same in all versions.' }),
  version: z.string(),
  effectiveFrom: z.string().meta({ description: 'First day, UTC.' }),
  effectiveTo: z.string().nullable().meta({ description: 'First day after it; null: no end.' }),
  isInForce: z.boolean().meta({ description: 'Today, in UTC. Of all books one is.' }),
  createdAt: timestamp,
}
export const importedBook = z.strictObject(fields).meta({ id: 'ImportedPriceBook' })
export type ImportedBook = z.infer<typeof importedBook>
export const importedBookWithDocument = z
  .strictObject({ ...fields, document: priceBookSchema })
  .meta({ id: 'ImportedPriceBookWithDocument' })

export const priceBooksQuery = pageQuery

export const catalogQuery = z.strictObject({
  currency: currencyCode.optional().meta({
    description: 'Without it that of the organization if the book has it, else the first there.',
  }),
  region: identifier.optional().meta({
    description: 'Without it that of the organization, if the book has it.',
  }),
})

export const quoteRequest = z.union([offerStateSchema, offerStatesSchema])
export const quoteAnswer = z.union([quoteSchema, whatIfSchema])
