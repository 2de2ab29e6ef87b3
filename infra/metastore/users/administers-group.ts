import type { Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { loadSecurity } from '../rights/security-state.ts'
import { findGroup } from './find-group.ts'

/** Whether the user is an administrator of the group, himself or by a group. False where there is
 *  no such group. */
export async function administersGroup(
  transaction: Transaction<Tables>,
  userId: number,
  groupName: string,
): Promise<boolean> {
  const { groups, groupsOfUser } = await loadSecurity(transaction)
  const group = await findGroup(transaction, groupName)
  const administrators = groups.get(group?.id ?? 0)?.administrators
  if (administrators === undefined) return false
  const own = [...(groupsOfUser.get(userId) ?? [])]
  return administrators.users.has(userId) || own.some((id) => administrators.groups.has(id))
}
