// Offers of the demo, one in each state.
import { z } from 'zod'
import { CHANNEL, SKU } from './demo-books.ts'
import type { DemoCaller } from './demo-caller.ts'

const made = z.object({ id: z.string(), licenseId: z.string().nullable() })
const DAY_MS = 86_400_000

export type DemoOffer = {
  readonly title: string
  /** Who drafts and sends it. */
  readonly as: string
  /** The customer. */
  readonly of: string
  readonly gbPerDay: number
  readonly nowMs: number
  readonly validDays: number
  readonly credit?: string
  /** Of the plan; without it the customer pays no credits for what is used. */
  readonly creditPricePerGib?: string
  /** As in the API; without it a new one. */
  readonly license?: { readonly kind: string; readonly licenseId?: string }
}

/** Resolves with the id of a draft. */
export async function draftOffer(call: DemoCaller, offer: DemoOffer): Promise<string> {
  const { title, as, of, gbPerDay, nowMs, validDays, credit, creditPricePerGib } = offer
  const { license } = offer
  const body = {
    ...{ title, validUntil: new Date(nowMs + validDays * DAY_MS).toISOString() },
    content: {
      lines: [
        { item: SKU.logs, quantity: String(gbPerDay) },
        { item: SKU.support, quantity: '1' },
        { item: SKU.training, quantity: '2' },
      ],
      ...{ term: 'annual', promotions: ['WELCOME'] },
      discount: { kind: 'percent', value: '4', reason: 'Reference customer' },
      taxes: [{ name: 'VAT 19 %', kind: 'percent', value: '19' }],
    },
    plan: {
      ...{ name: 'Team', volumeBytesPerDay: gbPerDay * 1_000_000_000 },
      features: ['Alerts', `Sold by ${CHANNEL}`],
      ...(creditPricePerGib === undefined ? {} : { creditPricePerGib }),
    },
    ...(credit === undefined ? {} : { credit }),
    ...(license === undefined ? {} : { license }),
  }
  return made.parse(await call({ path: '/offers', as, of, body })).id
}

export async function sendOffer(call: DemoCaller, offer: DemoOffer): Promise<string> {
  const id = await draftOffer(call, offer)
  await call({ method: 'POST', path: `/offers/${id}/send`, as: offer.as, of: offer.of })
  return id
}

/** Resolves with the licence that came of it. */
export async function acceptOffer(call: DemoCaller, id: string, as: string): Promise<string> {
  const accepted = await call({ method: 'POST', path: `/offers/${id}/accept`, as })
  return made.parse(accepted).licenseId ?? ''
}
