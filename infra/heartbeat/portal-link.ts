// How the product stands with its portal, kept in the database: whoever leads the scheduler next
// goes on from here, and every process tells it.
import { createHash } from 'node:crypto'
import { type Fence, requireFence } from '../database/lease.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { PortalLinkRow } from '../database/rows/heartbeat-tables.ts'

export type PortalLink = Readonly<Omit<PortalLinkRow, 'number'>>

export type LinkDeps = { readonly database: Database; readonly held: Fence }

const ONE = 1

/** Of what an operator set. */
export function setupOf(portalUrl: string, licenseKey: string): string {
  return createHash('sha256').update(`logeye portal\0${portalUrl}\0${licenseKey}`).digest('hex')
}

export function newLink(setup: string, nowMs: number): PortalLink {
  return {
    ...{ setup, portal_key: '', deployment_id: '', token: '', entitlement: '', license_state: '' },
    ...{ failure: '', reason: '', failures: 0, begun_ms: nowMs, reached_ms: 0, next_ms: 0 },
    ...{ looked_ms: 0, due_hours: 0, refused_hours: 0 },
  }
}

export async function readPortalLink(db: Database['read']): Promise<PortalLink | undefined> {
  const row = await db.selectFrom('portal_link').selectAll().executeTakeFirst()
  if (row === undefined) return undefined
  const { number: _, ...link } = row
  return {
    ...link,
    begun_ms: Number(link.begun_ms),
    reached_ms: Number(link.reached_ms),
    next_ms: Number(link.next_ms),
    looked_ms: Number(link.looked_ms),
  }
}

/** `more`: in the same transaction. False, and nothing is kept: an operator has set up the portal
 *  anew meanwhile. Fails with database.lease_lost. */
export async function keepPortalLink(
  { database, held }: LinkDeps,
  { link, isNew }: { readonly link: PortalLink; readonly isNew: boolean },
  more: (transaction: DatabaseTransaction) => Promise<void> = async () => undefined,
): Promise<boolean> {
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    if (isNew) {
      await transaction.deleteFrom('portal_link').execute()
      await transaction
        .insertInto('portal_link')
        .values({ number: ONE, ...link })
        .execute()
    } else {
      const update = transaction.updateTable('portal_link').set({ ...link })
      const result = await update.where('setup', '=', link.setup).executeTakeFirst()
      if (Number(result.numUpdatedRows) === 0) return false
    }
    await more(transaction)
    return true
  })
}

/** Whoever gives address or key, even the same again, trusts the portal anew: the product registers
 *  as at the first time, and takes the key that it sees then. What was reported stays known. */
export async function forgetPortal(transaction: DatabaseTransaction): Promise<void> {
  await transaction.updateTable('portal_link').set({ setup: '' }).execute()
}

export async function writeToken(transaction: DatabaseTransaction, token: string): Promise<void> {
  await transaction.updateTable('portal_link').set({ token }).execute()
}
