// What webhooks are told of an offer: of its customer alone, from the moment it is sent.
import { sql } from 'kysely'
import type { Clock } from '../../infra/clock.ts'
import type { OfferTold } from '../../schemas/portal/offers.ts'
import type { PortalDatabase, PortalTransaction } from '../database/open.ts'
import { putEvent, tellOnce } from '../webhooks/put-event.ts'
import { tellOffer } from './find-offers.ts'

/** Offers that ended longer ago are not told of any more. */
const LATE_MS = 7 * 86_400_000
const AT_ONCE = 100

export async function putOfferEvent(
  transaction: PortalTransaction,
  kind: 'offer.sent' | 'offer.accepted' | 'offer.rejected' | 'offer.expired',
  offer: OfferTold,
  clock: Clock,
): Promise<void> {
  const { id: offerId, organizationId, version, title, state, validUntil, licenseId } = offer
  const { rejectionReason } = offer
  const told = { organizationId, offerId, version, title, state, validUntil }
  const data = { ...told, licenseId, rejectionReason }
  await putEvent(transaction, { kind, data }, clock)
}

/** Nobody calls when an offer ends. */
export async function tellExpiredOffers(database: PortalDatabase, clock: Clock): Promise<void> {
  const nowMs = clock.nowMs()
  const isTold = 'offer.expired '
  const ended = await database.read
    .selectFrom('offers')
    .selectAll('offers')
    .where('state', '=', 'sent')
    .where('valid_until_ms', '<=', nowMs)
    .where('valid_until_ms', '>', nowMs - LATE_MS)
    .where(
      sql<boolean>`not exists (select 1 from told_events where key = cast(${isTold} as text) || offers.id)`,
    )
    .limit(AT_ONCE)
    .execute()
  for (const row of ended)
    await database.write(async (transaction) => {
      if (!(await tellOnce(transaction, isTold + row.id, nowMs))) return
      const offer = await tellOffer(transaction, row, nowMs)
      if (offer.state === 'expired') await putOfferEvent(transaction, 'offer.expired', offer, clock)
    })
}
