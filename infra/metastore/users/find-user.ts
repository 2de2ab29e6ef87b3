// A user by his name, inside the caller's transaction. Letter case does not count; who was removed
// is none.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables, UserRow } from '../../database/tables.ts'

export function findUser(
  transaction: Transaction<Tables>,
  name: string,
): Promise<UserRow | undefined> {
  return transaction
    .selectFrom('users')
    .selectAll()
    .where('name_folded', '=', foldName(name))
    .where('removed_ms', 'is', null)
    .executeTakeFirst()
}

/** Fails with object.not_found. */
export async function requireUser(
  transaction: Transaction<Tables>,
  name: string,
): Promise<UserRow> {
  const user = await findUser(transaction, name)
  if (user === undefined) throw new Failure('object.not_found', { kind: 'user', name })
  return user
}
