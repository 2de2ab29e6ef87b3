// Whoever becomes a member of a further organization sees what it has. The administrator of another
// customer can have made that person, with a password, and so know it: what lets the person in
// begins anew. Staff of the vendor or of a channel was not made by a customer.
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { PersonRow } from '../database/tables.ts'
import { revokeCredentials } from './credentials.ts'
import { endLinks } from './one-time-links.ts'

/** The person is of customers alone: one of their administrators may have made it. */
export async function isOfCustomersAlone(db: PortalReader, personId: string): Promise<boolean> {
  const higher = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select('organizations.id')
    .where('memberships.person_id', '=', personId)
    .where('organizations.kind', '!=', 'customer')
    .executeTakeFirst()
  return higher === undefined
}

/** `passwordHash`: '' for none, until the person has chosen one. */
export async function beginAnew(
  transaction: PortalTransaction,
  row: PersonRow,
  { passwordHash, nowMs }: { readonly passwordHash: string; readonly nowMs: number },
): Promise<PersonRow> {
  const fresh = {
    ...{ password_hash: passwordHash, second_factor: null, pending_factor: '' },
    recovery_hashes: '[]',
  }
  await transaction.updateTable('people').set(fresh).where('id', '=', row.id).execute()
  await endLinks(transaction, row.id, nowMs)
  await revokeCredentials(transaction, { kind: 'session', ownerId: row.id }, nowMs)
  return { ...row, ...fresh }
}
