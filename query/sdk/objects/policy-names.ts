import type { DatabaseTransaction } from '../../../infra/database/port.ts'

/** Collection policies by id. */
export async function readPolicyNames(
  transaction: DatabaseTransaction,
): Promise<ReadonlyMap<number, string>> {
  const rows = transaction.selectFrom('collection_policies').select(['id', 'name'])
  return new Map((await rows.execute()).map(({ id, name }) => [id, name]))
}
