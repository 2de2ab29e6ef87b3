// Groups of users. Who is in one, and who administers it, stands with the user and with the group
// that is inside: so a configuration is made in one order, groups before users.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { listValue } from '../../../schemas/sdk/values.ts'
import { readAdministeredGroups } from './administered-groups.ts'
import type { ObjectKind } from './object-kind.ts'
import { printList } from './print-values.ts'

export const group: ObjectKind = {
  type: 'group',
  command: 'securityGroups',
  make: { action: 'add' },
  change: { action: 'edit' },
  nameOf: ({ groupName = '' }) => groupName.trim(),
  rename: (given, newName) => ({ ...given, groupName: newName }),
  needs: ({ parents = '', policy = '' }) => [
    ...listValue.parse(parents).map((name) => ({ type: 'group' as const, name })),
    ...(policy === '' ? [] : [{ type: 'policy' as const, name: policy }]),
  ],
  readAll: async (transaction) => {
    const rows = await transaction
      .selectFrom('user_groups')
      .leftJoin('policies', 'policies.id', 'user_groups.policy_id')
      .select(['user_groups.id', 'user_groups.name', 'user_groups.display_name'])
      .select(['user_groups.description', 'user_groups.is_fixed', 'policies.name as policy'])
      .orderBy('user_groups.id')
      .execute()
    const parents = await readParents(transaction)
    const administered = await readAdministeredGroups(transaction, 'group')
    return rows.map((row) => ({
      name: row.name,
      arguments: {
        groupName: row.name,
        displayName: row.display_name,
        description: row.description,
        parents: printList(parents.get(row.id) ?? []),
        administeredGroups: printList(administered.get(row.id) ?? []),
        policy: row.policy ?? '',
      },
      ...(row.is_fixed === 1 ? { origin: 'product' as const } : {}),
    }))
  },
  removal: {
    command: 'securityGroups',
    arguments: (name) => ({ action: 'remove', groupName: name }),
  },
}

/** Names of the groups that hold a group. */
async function readParents(
  transaction: DatabaseTransaction,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await transaction
    .selectFrom('group_members')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .select(['group_members.member_id', 'user_groups.name'])
    .where('group_members.member_kind', '=', 'group')
    .orderBy('user_groups.id')
    .execute()
  const parents = new Map<number, string[]>()
  for (const { member_id, name } of rows)
    parents.set(member_id, [...(parents.get(member_id) ?? []), name])
  return parents
}
