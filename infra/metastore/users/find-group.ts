// A group of users by its name, inside the caller's transaction. Letter case does not count.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { GroupRow, Tables } from '../../database/tables.ts'

export function findGroup(
  transaction: Transaction<Tables>,
  name: string,
): Promise<GroupRow | undefined> {
  return transaction
    .selectFrom('user_groups')
    .selectAll()
    .where('name_folded', '=', foldName(name))
    .executeTakeFirst()
}

/** Fails with object.not_found. */
export async function requireGroup(
  transaction: Transaction<Tables>,
  name: string,
): Promise<GroupRow> {
  const row = await findGroup(transaction, name)
  if (row === undefined) throw new Failure('object.not_found', { kind: 'group', name })
  return row
}
