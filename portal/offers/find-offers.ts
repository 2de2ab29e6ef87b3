// Whose offers a caller sees, and how they are told.
import { Failure } from '../../schemas/failures.ts'
import {
  OFFER_STATES,
  type OfferStateName,
  type OfferTold,
  offerApproval,
  offered,
} from '../../schemas/portal/offers.ts'
import { quoteSchema } from '../../schemas/portal/pricing/quote.ts'
import { type Caller, listedOf, organizationOf } from '../access/caller.ts'
import type { PortalReader } from '../database/open.ts'
import type { OfferRow } from '../database/tables.ts'
import { describeEffects } from './license-change.ts'

/** Who makes offers: the vendor's staff, and a channel for its customers. */
export function isSeller(caller: Caller): boolean {
  return isStaff(caller) || (caller.kind === 'session' && caller.role === 'channel')
}

export function isStaff(caller: Caller): boolean {
  if (caller.kind === 'operator') return true
  return caller.kind === 'session' && (caller.role === 'sales' || caller.role === 'operator')
}

/** Of the organization that the caller acts for; drafts for sellers alone. */
export function visibleOffers(db: PortalReader, caller: Caller) {
  const all = db.selectFrom('offers').selectAll()
  const own = organizationOf(caller)
  if (caller.kind === 'operator' && own === undefined) return all
  const owned = all.where('organization_id', '=', own ?? '')
  return isSeller(caller) ? owned : owned.where('state', '!=', 'draft')
}

/** The same, and of all for the vendor. */
export function listedOffers(db: PortalReader, caller: Caller) {
  return listedOf(caller) === undefined
    ? db.selectFrom('offers').selectAll()
    : visibleOffers(db, caller)
}

export async function findOffer(db: PortalReader, caller: Caller, id: string): Promise<OfferRow> {
  const row = await visibleOffers(db, caller).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'offer' })
  return row
}

/** As it is at this moment. */
export function stateOfOffer(row: OfferRow, nowMs: number): OfferStateName {
  if (row.state === 'sent' && row.valid_until_ms <= nowMs) return 'expired'
  return OFFER_STATES.find((state) => state === row.state) ?? 'draft'
}

/** Fails with portal.offer_decided. */
export function requireState(row: OfferRow, wanted: OfferStateName, nowMs: number): void {
  const state = stateOfOffer(row, nowMs)
  if (state !== wanted) throw new Failure('portal.offer_decided', { state, wanted })
}

export async function readVersion(db: PortalReader, row: Pick<OfferRow, 'id' | 'version'>) {
  const kept = await db
    .selectFrom('offer_versions')
    .select(['offered', 'quote', 'approval'])
    .where('offer_id', '=', row.id)
    .where('version', '=', row.version)
    .executeTakeFirstOrThrow()
  return {
    offered: offered.parse(JSON.parse(kept.offered)),
    quote: quoteSchema.parse(JSON.parse(kept.quote)),
    approval: offerApproval.nullable().parse(kept.approval),
  }
}

export async function tellOffer(
  db: PortalReader,
  row: OfferRow,
  nowMs: number,
): Promise<OfferTold> {
  const { offered: held, quote, approval } = await readVersion(db, row)
  const accepted = db.selectFrom('accepted_offers').select('license_id')
  const license = await accepted.where('offer_id', '=', row.id).executeTakeFirst()
  return {
    ...{ id: row.id, organizationId: row.organization_id, version: row.version },
    ...{ ...held, quote, approval, state: stateOfOffer(row, nowMs) },
    effects: describeEffects(held, { months: quote.months, currency: quote.currency }),
    validUntil: timeOf(row.valid_until_ms),
    licenseId: license?.license_id ?? null,
    rejectionReason: row.rejection_reason,
    createdAt: timeOf(row.created_ms),
    sentAt: row.sent_ms === null ? null : timeOf(row.sent_ms),
    decidedAt: row.decided_ms === null ? null : timeOf(row.decided_ms),
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
