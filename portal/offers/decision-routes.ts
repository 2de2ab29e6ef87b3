// What a customer does with an offer: accepting changes its licence and gives its credits, in one
// transaction and once (decision 9.10).
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { offer, rejectedOffer } from '../../schemas/portal/offers.ts'
import { addUtcMonths } from '../../schemas/time/time-date.ts'
import { nameCaller } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { PortalDeps } from '../deps.ts'
import { giveCredits } from '../license/credit-routes.ts'
import { findOffer, readVersion, requireState, tellOffer } from './find-offers.ts'
import { changeLicense } from './license-change.ts'
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
        summary: 'Accept an offer: it changes the licence as it says, and gives its credits',
        description:
          'Once: an offer that was accepted is answered as it is. A new licence begins now and lasts as long as the offer is for, and so do the credits; of an offer without a duration, 12 months. An operator makes its key.',
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
          const months = quote.months ?? quote.term?.months ?? USUAL_MONTHS
          const licenseId = await changeLicense(transaction, row, offered, {
            ...{ months, nowMs, clock },
          })
          const toMs = addUtcMonths(nowMs, months)
          if (offered.credit !== null) {
            const grant = {
              ...{ id: newId('grt', clock), amount: offered.credit, priority: PRIORITY },
              ...{ source: `offer ${row.id}`, effectiveAt: new Date(nowMs).toISOString() },
              expiresAt: new Date(toMs).toISOString(),
            }
            await giveCredits(transaction, row.organization_id, grant, clock)
          }
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
        body: rejectedOffer,
        isBodyOptional: true,
        answers: { 200: { description: 'As it is now.', schema: offer } },
      },
      async ({ body, caller, path, nowMs }) =>
        async (transaction) => {
          const row = await findOffer(transaction, caller, path('offerId'))
          requireState(row, 'sent', nowMs)
          const decided = { state: 'rejected', decided_ms: nowMs }
          const rejected = { ...row, ...decided, rejection_reason: body.reason ?? null }
          await transaction.updateTable('offers').set(rejected).where('id', '=', row.id).execute()
          const told = await tellOffer(transaction, rejected, nowMs)
          await putOfferEvent(transaction, 'offer.rejected', told, clock)
          return { body: told, target: row.id }
        },
    ),
  ]
}
