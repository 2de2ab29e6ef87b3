// Groups that users or groups administer, by who administers them.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'

export async function readAdministeredGroups(
  transaction: DatabaseTransaction,
  kind: 'user' | 'group',
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await transaction
    .selectFrom('group_administrators')
    .innerJoin('user_groups', 'user_groups.id', 'group_administrators.group_id')
    .select(['group_administrators.admin_id', 'user_groups.name'])
    .where('group_administrators.admin_kind', '=', kind)
    .orderBy('user_groups.id')
    .execute()
  const found = new Map<number, string[]>()
  for (const { admin_id, name } of rows) found.set(admin_id, [...(found.get(admin_id) ?? []), name])
  return found
}
