// Whose a monitor is: it runs with his rights, so only he and administrators change it.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import { requireUser } from '../../../infra/metastore/users/find-user.ts'
import { Failure } from '../../../schemas/failures.ts'
import { ANONYMOUS_USER } from '../../../schemas/users.ts'

type Caller = { readonly id: number; readonly isAdministrator: boolean }

/** Fails with monitor.not_own. */
export async function requireOwn(
  transaction: DatabaseTransaction,
  { name, ownerId }: Pick<Monitor, 'name' | 'ownerId'>,
  caller: Caller,
): Promise<void> {
  if (caller.isAdministrator || caller.id === ownerId) return
  throw new Failure('monitor.not_own', { name, owner: await ownerName(transaction, ownerId) })
}

/** '' where there is none any more. */
export async function ownerName(
  transaction: Pick<DatabaseTransaction, 'selectFrom'>,
  ownerId: number,
): Promise<string> {
  if (ownerId === ANONYMOUS_USER.id) return ''
  const row = await transaction
    .selectFrom('users')
    .select('name')
    .where('id', '=', ownerId)
    .where('removed_ms', 'is', null)
    .executeTakeFirst()
  return row?.name ?? ''
}

/** Undefined: as it is. Fails with rights.missing, object.not_found. */
export async function readOwner(
  transaction: DatabaseTransaction,
  owner: string | undefined,
  caller: { readonly id: number; readonly name: string; readonly isAdministrator: boolean },
): Promise<number | undefined> {
  if (owner === undefined) return undefined
  if (owner.trim() === '') return caller.id
  const { id } = await requireUser(transaction, owner.trim())
  if (id !== caller.id && !caller.isAdministrator) throw new Failure('rights.missing')
  return id
}
