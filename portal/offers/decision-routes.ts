// What a customer does with an offer: accepting makes its licence and gives its credits, in one
// transaction and once
// (decision 9.10).
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { offer } from '../../schemas/portal/offers.ts'
import { nameCaller } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { PortalDeps } from '../deps.ts'
import { giveCredits } from '../license/credit-routes.ts'
import { addMonths } from '../pricing/engine/duration.ts'
import { findOffer, readVersion, requireState, tellOffer } from './find-offers.ts'
import { putOfferEvent } from './put-offer-event.ts'

const TAG = 'offers'
/** Of an offer without a term. */
const USUAL_MONTHS = 12
/** Of its credits: that of a grant that names none. */
const PRIORITY = 100

export function makeOfferDecisionRoutes({ clock, serve }: PortalDeps): ServedRoute[] {
  return [
    serve.write(
      {
        ...{ method: 'POST', path: '/offers/{offerId}/accept', tag: TAG },
        operationId: 'acceptOffer',
        summary: 'Accept an offer: it makes a licence, and gives its credits',
        description:
          'Once: an offer that was accepted is answered as it is. The licence begins now and lasts for the term, or 12 months, and so do the credits. An operator makes its key.',
        allows: { roles: ['customer_admin'] },
        answers: { 200: { description: 'As it is now.', schema: offer } },
      },
      async ({ caller, address, path, nowMs }) =>
        async (transaction) => {
          const row = await findOffer(transaction, caller, path('offerId'))
          if (row.state === 'accepted')
            return { body: await tellOffer(transaction, row, nowMs), target: row.id }
          requireState(row, 'sent', nowMs)
          const { offered, quote, approval } = await readVersion(transaction, row)
          if (approval === null) throw new Failure('portal.approval_needed')
          const licenseId = newId('lcs', clock)
          const toMs = addMonths(nowMs, quote.months ?? quote.term?.months ?? USUAL_MONTHS)
          if (offered.credit !== null) {
            const grant = {
              ...{ id: newId('grt', clock), amount: offered.credit, priority: PRIORITY },
              ...{ source: `offer ${row.id}`, effectiveAt: new Date(nowMs).toISOString() },
              expiresAt: new Date(toMs).toISOString(),
            }
            await giveCredits(transaction, row.organization_id, grant, clock)
          }
          await transaction
            .insertInto('licenses')
            .values({
              ...{ id: licenseId, organization_id: row.organization_id, name: offered.title },
              ...{ plan: JSON.stringify(offered.plan), state: 'active', created_ms: nowMs },
              ...{ from_ms: nowMs, to_ms: toMs },
            })
            .execute()
          await transaction
            .insertInto('accepted_offers')
            .values({
              ...{ offer_id: row.id, license_id: licenseId, created_ms: nowMs },
              accepted_by: nameCaller(caller, address),
            })
            .execute()
          const accepted = { ...row, state: 'accepted', decided_ms: nowMs }
          await transaction.updateTable('offers').set(accepted).where('id', '=', row.id).execute()
          const told = await tellOffer(transaction, accepted, nowMs)
          await putOfferEvent(transaction, 'offer.accepted', told, clock)
          return { body: told, target: row.id }
        },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/offers/{offerId}/reject', tag: TAG },
        operationId: 'rejectOffer',
        summary: 'Reject an offer that was sent',
        allows: {
          roles: ['customer_admin', 'sales', 'channel', 'operator'],
          ...{ operator: true, scope: 'offers:write' },
        },
        answers: { 200: { description: 'As it is now.', schema: offer } },
      },
      async ({ caller, path, nowMs }) =>
        async (transaction) => {
          const row = await findOffer(transaction, caller, path('offerId'))
          requireState(row, 'sent', nowMs)
          const rejected = { ...row, state: 'rejected', decided_ms: nowMs }
          await transaction.updateTable('offers').set(rejected).where('id', '=', row.id).execute()
          const told = await tellOffer(transaction, rejected, nowMs)
          await putOfferEvent(transaction, 'offer.rejected', told, clock)
          return { body: told, target: row.id }
        },
    ),
  ]
}
