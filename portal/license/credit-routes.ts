// Credits of the acting organization: given and taken back by operators, seen by its people.
import type { Clock } from '../../infra/clock.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import {
  creditBalance,
  movement,
  movementsQuery,
  newGrant,
  voidedGrant,
} from '../../schemas/portal/license/credits.ts'
import { EVERY_ROLE, requireActing } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { PortalDeps } from '../deps.ts'
import { putEvent } from '../webhooks/put-event.ts'
import { addGrant, voidGrant } from './credits/book.ts'
import type { Grant, Ledger } from './credits/ledger.ts'
import { keepLedger, readLedger, requireBooked } from './keep-credits.ts'
import { ledgerPieces } from './ledger-pieces.ts'
import { findLicenseInForce } from './status/find-license.ts'
import { keepCurrent, keepOne } from './status/keep-status.ts'
import { readStatus, tellBalance } from './status/read-status.ts'

const TAG = 'credits'
const OPERATORS = { roles: ['operator'], operator: true } as const
const READERS = { roles: EVERY_ROLE, operator: true, scope: 'license:read' } as const

export function makeCreditRoutes({ database, clock, cursors, serve }: PortalDeps): ServedRoute[] {
  return [
    serve.read(
      {
        ...{ method: 'GET', path: '/credits', tag: TAG, operationId: 'readCredits' },
        summary: 'The credits of the acting organization',
        allows: READERS,
        answers: { 200: { description: 'The balance.', schema: creditBalance } },
      },
      async ({ caller, nowMs }) => {
        const id = requireActing(caller)
        const at = new Date(nowMs).toISOString()
        const ledger = await database.snapshot((transaction) =>
          bookedLedger(transaction, id, nowMs),
        )
        return { body: tellBalance(ledger, at).creditBalance }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/credits/grants', tag: TAG, operationId: 'grantCredits' },
        summary: 'Give credits to the acting organization',
        allows: OPERATORS,
        body: newGrant,
        answers: { 201: { description: 'The balance with them.', schema: creditBalance } },
      },
      async ({ body, caller, nowMs }) => {
        const organizationId = requireActing(caller)
        const at = new Date(nowMs).toISOString()
        const id = newId('grt', clock)
        return async (transaction) => {
          const time = (text: string) => new Date(text).toISOString()
          const grant = {
            ...{ id, amount: body.amount, priority: body.priority, source: body.source },
            currency: body.currency,
            effectiveAt: body.effectiveAt === undefined ? at : time(body.effectiveAt),
            expiresAt: body.expiresAt === undefined ? null : time(body.expiresAt),
          }
          const after = await giveCredits(transaction, organizationId, grant, clock)
          return { status: 201, target: id, body: tellBalance(after, at).creditBalance }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/credits/grants/{grantId}/void', tag: TAG },
        operationId: 'voidGrant',
        summary: 'Take back what is left of a grant',
        allows: OPERATORS,
        body: voidedGrant,
        answers: { 200: { description: 'The balance without it.', schema: creditBalance } },
      },
      async ({ body, caller, path }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const before = await bookFirst(transaction, organizationId, clock)
          const at = nextBookingAt(before, clock)
          const of = { grantId: path('grantId'), reason: body.reason }
          const after = requireBooked(voidGrant(before, of, at))
          await keepLedger(transaction, organizationId, before, after)
          return { target: of.grantId, body: tellBalance(after, at).creditBalance }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/credits/movements', tag: TAG, operationId: 'listMovements' },
        summary: 'Each movement of the credits, newest first, with its explanation',
        allows: READERS,
        query: movementsQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(movement) } },
      },
      async ({ caller, query, list }) => {
        const { cursor, limit } = query
        const organizationId = requireActing(caller)
        await keepCurrent({ database, clock }, organizationId)
        let rows = database.read
          .selectFrom('credit_movements')
          .select(['number', 'movement'])
          .where('organization_id', '=', organizationId)
          .orderBy('number', 'desc')
          .limit(limit + 1)
        if (cursor !== undefined)
          rows = rows.where('number', '<', Number(cursors.read(cursor, list)))
        const page = cursors.page(await rows.execute(), {
          ...{ limit, list },
          keyOf: ({ number }) => String(number),
          tell: (row) => ledgerPieces.movement.parse(JSON.parse(row.movement)),
        })
        return { body: page }
      },
    ),
  ]
}

/** Without a currency in that of the ledger. Fails with portal.not_bookable. */
export async function giveCredits(
  transaction: PortalTransaction,
  organizationId: string,
  grant: Omit<Grant, 'currency'> & { readonly currency?: string | undefined },
  clock: Clock,
): Promise<Ledger> {
  const before = await bookFirst(transaction, organizationId, clock)
  const given = { ...grant, currency: grant.currency ?? before.currency }
  const after = requireBooked(addGrant(before, given, nextBookingAt(before, clock)))
  await keepLedger(transaction, organizationId, before, after)
  const kept = after.grants.find(({ id }) => id === given.id) ?? given
  const { id: grantId, priority: _, ...told } = kept
  const data = { organizationId, grantId, ...told }
  await putEvent(transaction, { kind: 'credits.granted', data }, clock)
  return after
}

/** As it is at this moment, whether it was kept or not. */
async function bookedLedger(
  db: PortalReader,
  organizationId: string,
  nowMs: number,
): Promise<Ledger> {
  const license = await findLicenseInForce(db, organizationId, nowMs)
  if (license !== undefined) return (await readStatus(db, license, undefined, nowMs)).booked
  return await readOwn(db, organizationId)
}

/** What was used until now is booked before anything changes. */
async function bookFirst(
  transaction: PortalTransaction,
  organizationId: string,
  clock: Clock,
): Promise<Ledger> {
  const license = await findLicenseInForce(transaction, organizationId, clock.nowMs())
  if (license !== undefined) await keepOne(transaction, license, clock)
  return await readOwn(transaction, organizationId)
}

/** Of a booking after those of the ledger: none is earlier, whatever was booked since the call
 *  began, or by a process whose clock is ahead. */
function nextBookingAt({ bookedAt }: Ledger, clock: Clock): string {
  const nowMs = clock.nowMs()
  return new Date(bookedAt === null ? nowMs : Math.max(nowMs, Date.parse(bookedAt))).toISOString()
}

/** In which an offer's credits would be given. */
export async function currencyOfCredits(db: PortalReader, organizationId: string): Promise<string> {
  return (await readOwn(db, organizationId)).currency
}

async function readOwn(db: PortalReader, organizationId: string): Promise<Ledger> {
  const organizations = db.selectFrom('organizations').select('currency')
  const row = await organizations.where('id', '=', organizationId).executeTakeFirst()
  return await readLedger(db, organizationId, row?.currency ?? 'EUR')
}
