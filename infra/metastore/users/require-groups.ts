import type { Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { requireGroup } from './find-group.ts'

/** Ids of groups by name. Fails with object.not_found. */
export async function requireGroups(
  transaction: Transaction<Tables>,
  names: readonly string[],
): Promise<number[]> {
  const ids = new Set<number>()
  for (const name of names) {
    const { id } = await requireGroup(transaction, name)
    ids.add(id)
  }
  return [...ids]
}
