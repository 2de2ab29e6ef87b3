// Offers (decision 9.10).
import { z } from 'zod'
import { licenseId, organizationId, plan } from './accounts.ts'
import { givenTime, idOf, lineText, pageQuery, timestamp } from './common.ts'
import { offerStateSchema } from './pricing/offer-state.ts'
import { quoteSchema } from './pricing/quote.ts'
import { decimalText } from './pricing/values.ts'

export const OFFER_STATES = ['draft', 'sent', 'accepted', 'rejected', 'expired'] as const
export const offerState = z.enum(OFFER_STATES)
export type OfferStateName = z.infer<typeof offerState>

export const offerApproval = z.enum(['price_book', 'operator'])
export type OfferApproval = z.infer<typeof offerApproval>

const title = lineText(200).min(1)
const content = offerStateSchema.meta({ description: 'What is offered; it is priced anew.' })
const offeredPlan = plan.nullable().meta({
  description: "Of the licence that comes of it; set by the vendor's staff.",
})
const offeredCredit = decimalText
  .refine((text) => /[1-9]/.test(text), 'must be more than 0; null: none')
  .nullable()
  .meta({
    description: "Credits, in the currency of the organization's; set by the vendor's staff.",
  })

const existing = { licenseId }
const LICENSE_CHANGES = [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('new') }),
] as const
const licenseChange = z
  .discriminatedUnion('kind', [
    ...LICENSE_CHANGES,
    z.strictObject({ kind: z.literal('add'), ...existing }),
    z.strictObject({ kind: z.literal('extend'), ...existing }),
    z.strictObject({ kind: z.literal('replace'), ...existing }),
  ])
  .nullable()
  .meta({
    description:
      "What accepting does to the customer's licence, set by the vendor's staff. `none`: nothing, such as for a training day. `new`: makes one with the plan; the customer must have none in force. `add`: adds volume and features of the plan to a licence until it ends. `extend`: a licence lasts longer, with its own plan. `replace`: a licence with the plan takes over keys and deployments. null: not decided yet; with a plan as `new`.",
  })
export type LicenseChange = NonNullable<z.infer<typeof licenseChange>>

const named = { ...existing, licenseName: z.string() }
const offeredLicense = z
  .discriminatedUnion('kind', [
    ...LICENSE_CHANGES,
    z.strictObject({ kind: z.literal('add'), ...named }),
    z.strictObject({ kind: z.literal('extend'), ...named }),
    z.strictObject({ kind: z.literal('replace'), ...named }),
  ])
  .meta({ id: 'OfferedLicense' })
export type OfferedLicense = z.infer<typeof offeredLicense>

/** What a version holds beside its quote. */
export const offered = z.strictObject({
  title,
  content: offerStateSchema,
  plan: plan.nullable(),
  license: offeredLicense.nullable().default(null),
  credit: decimalText.nullable(),
})
export type Offered = z.infer<typeof offered>

export const rejectedOffer = z.strictObject({
  reason: lineText(1000).min(1).optional().meta({ description: 'Shown to both sides.' }),
})

export const newOffer = z.strictObject({
  title,
  content,
  validUntil: givenTime,
  plan: offeredPlan.default(null),
  license: licenseChange.default(null),
  credit: offeredCredit.default(null),
})

export const changedOffer = z.strictObject({
  title: title.optional(),
  content: content.optional(),
  validUntil: givenTime.optional(),
  plan: offeredPlan.optional(),
  license: licenseChange.optional(),
  credit: offeredCredit.optional(),
})

export const offer = z
  .strictObject({
    id: idOf('ofr', 'an offer'),
    organizationId,
    state: offerState,
    version: z.int().meta({ description: 'Each change of a draft makes one.' }),
    title: z.string(),
    content: offerStateSchema,
    quote: quoteSchema,
    plan: plan.nullable(),
    license: offeredLicense.nullable(),
    credit: z.string().nullable(),
    effects: z.array(z.string()).meta({ description: 'What accepting changes, in sentences.' }),
    approval: offerApproval.nullable().meta({
      description:
        'Of plan and credits: within the limits of the price book, or by an operator; null: an operator has to approve them.',
    }),
    validUntil: timestamp,
    licenseId: licenseId.nullable().meta({ description: 'That was made or changed by it.' }),
    rejectionReason: z.string().nullable(),
    createdAt: timestamp,
    sentAt: timestamp.nullable(),
    decidedAt: timestamp.nullable(),
  })
  .meta({ id: 'Offer' })
export type OfferTold = z.infer<typeof offer>

export const offersQuery = pageQuery
