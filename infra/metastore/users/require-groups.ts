import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'

/** Ids of groups by name. Fails with object.not_found. */
export async function requireGroups(
  transaction: Transaction<Tables>,
  names: readonly string[],
): Promise<number[]> {
  const ids = new Set<number>()
  for (const name of names) {
    const row = await transaction
      .selectFrom('user_groups')
      .select('id')
      .where('name_folded', '=', foldName(name))
      .executeTakeFirst()
    if (row === undefined) throw new Failure('object.not_found', { kind: 'group', name })
    ids.add(row.id)
  }
  return [...ids]
}
