// Users, without their passwords.
import { foldName } from '../../../infra/database/fold-name.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { listValue } from '../../../schemas/sdk/values.ts'
import { ADMIN_USER_NAME } from '../../../schemas/users.ts'
import { readAdministeredGroups } from './administered-groups.ts'
import type { ObjectKind } from './object-kind.ts'
import { printList } from './print-values.ts'

export const user: ObjectKind = {
  type: 'user',
  command: 'securityUsers',
  make: { action: 'add' },
  change: { action: 'edit' },
  nameOf: ({ userName = '' }) => userName.trim(),
  rename: (given, newName) => ({ ...given, userName: newName }),
  readAll: async (transaction) => {
    const users = await transaction
      .selectFrom('users')
      .leftJoin('policies', 'policies.id', 'users.policy_id')
      .select(['users.id', 'users.name', 'users.display_name', 'users.is_enabled'])
      .select(['users.password_hash', 'policies.name as policy'])
      .where('users.removed_ms', 'is', null)
      .orderBy('users.id')
      .execute()
    const groups = await readGroups(transaction)
    const administered = await readAdministeredGroups(transaction, 'user')
    return users.map((row) => ({
      name: row.name,
      arguments: {
        userName: row.name,
        displayName: row.display_name,
        groups: printList(groups.get(row.id) ?? []),
        policy: row.policy ?? '',
        administeredGroups: printList(administered.get(row.id) ?? []),
        enabled: String(row.is_enabled === 1),
        ...(row.password_hash === '' ? { signIn: 'oidc' } : {}),
      },
      secrets: row.password_hash === '' ? [] : ['userPassword'],
      isAlwaysThere: foldName(row.name) === ADMIN_USER_NAME,
    }))
  },
  needs: ({ groups = '', policy = '' }) => [
    ...listValue.parse(groups).map((name) => ({ type: 'group' as const, name })),
    ...(policy === '' ? [] : [{ type: 'policy' as const, name: policy }]),
  ],
  removal: {
    command: 'securityUsers',
    arguments: (name) => ({ action: 'remove', userName: name }),
  },
}

/** Names of the groups that a user is named in, by user. */
async function readGroups(transaction: DatabaseTransaction): Promise<Map<number, string[]>> {
  const rows = await transaction
    .selectFrom('group_members')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .select(['group_members.member_id', 'user_groups.name'])
    .where('group_members.member_kind', '=', 'user')
    .orderBy('user_groups.id')
    .execute()
  const groups = new Map<number, string[]>()
  for (const { member_id, name } of rows)
    groups.set(member_id, [...(groups.get(member_id) ?? []), name])
  return groups
}
