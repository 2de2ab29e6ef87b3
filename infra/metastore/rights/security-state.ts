// Users with their effective rights, and who may view which node: the whole of it in memory, it is
// small.
import type { Transaction } from 'kysely'
import {
  expandOperations,
  GROUP_EVERYONE,
  POLICY_ADMINISTRATORS,
  type UserRecord,
} from '../../../schemas/users.ts'
import type { GroupMemberRow, Tables, UserRow } from '../../database/tables.ts'
import { readIdList, readTextList } from '../json-list.ts'
import type { NodePermissions, Viewers } from './visible-logs.ts'

export type SecurityState = {
  readonly usersById: ReadonlyMap<number, UserRecord>
  readonly usersByFoldedName: ReadonlyMap<string, UserRecord>
  /** Effective groups of a user: direct, through other groups, and everyone. */
  readonly groupsOfUser: ReadonlyMap<number, ReadonlySet<number>>
  readonly permissions: NodePermissions
  readonly operationsOfPolicy: ReadonlyMap<number, readonly string[]>
}

export const EMPTY_SECURITY: SecurityState = {
  usersById: new Map(),
  usersByFoldedName: new Map(),
  groupsOfUser: new Map(),
  permissions: { folders: new Map(), logs: new Map() },
  operationsOfPolicy: new Map(),
}

export async function loadSecurity(transaction: Transaction<Tables>): Promise<SecurityState> {
  const users = await transaction
    .selectFrom('users')
    .selectAll()
    .where('removed_ms', 'is', null)
    .execute()
  const groups = await transaction.selectFrom('user_groups').select(['id', 'policy_id']).execute()
  const members = await transaction.selectFrom('group_members').selectAll().execute()
  const policies = await transaction.selectFrom('policies').select(['id', 'operations']).execute()
  const nodes = await transaction.selectFrom('node_permissions').selectAll().execute()

  const operationsOfPolicy = new Map(policies.map((row) => [row.id, readTextList(row.operations)]))
  const policyOfGroup = new Map(groups.map((row) => [row.id, row.policy_id]))
  const parents = parentGroups(members)
  const groupsOfUser = new Map<number, ReadonlySet<number>>()
  const usersById = new Map<number, UserRecord>()
  const usersByFoldedName = new Map<string, UserRecord>()
  for (const row of users) {
    const groupIds = effectiveGroups(parents, row.id)
    const policyIds = [row.policy_id, ...[...groupIds].map((id) => policyOfGroup.get(id) ?? null)]
    const user = userFromRow(row, policyIds, operationsOfPolicy)
    groupsOfUser.set(row.id, groupIds)
    usersById.set(row.id, user)
    usersByFoldedName.set(row.name_folded, user)
  }
  const permissions: { folders: Map<number, Viewers>; logs: Map<number, Viewers> } = {
    folders: new Map(),
    logs: new Map(),
  }
  for (const node of nodes) {
    const place = node.node_kind === 'folder' ? permissions.folders : permissions.logs
    place.set(node.node_id, {
      groups: new Set(readIdList(node.view_groups)),
      users: new Set(readIdList(node.view_users)),
    })
  }
  return { usersById, usersByFoldedName, groupsOfUser, permissions, operationsOfPolicy }
}

type ParentGroups = {
  readonly ofUser: ReadonlyMap<number, readonly number[]>
  readonly ofGroup: ReadonlyMap<number, readonly number[]>
}

function parentGroups(members: readonly GroupMemberRow[]): ParentGroups {
  const ofUser = new Map<number, number[]>()
  const ofGroup = new Map<number, number[]>()
  for (const row of members) {
    const parents = row.member_kind === 'user' ? ofUser : ofGroup
    const list = parents.get(row.member_id) ?? []
    list.push(row.group_id)
    parents.set(row.member_id, list)
  }
  return { ofUser, ofGroup }
}

/** Groups may hold each other in a circle: each is followed once. */
export function effectiveGroups(parents: ParentGroups, userId: number): ReadonlySet<number> {
  const found = new Set<number>([GROUP_EVERYONE.id])
  const open = [GROUP_EVERYONE.id, ...(parents.ofUser.get(userId) ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    found.add(id)
    for (const parent of parents.ofGroup.get(id) ?? []) if (!found.has(parent)) open.push(parent)
  }
  return found
}

function userFromRow(
  row: UserRow,
  policyIds: readonly (number | null)[],
  operationsOfPolicy: ReadonlyMap<number, readonly string[]>,
): UserRecord {
  const chosen = policyIds.flatMap((id) => (id === null ? [] : (operationsOfPolicy.get(id) ?? [])))
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    passwordHash: row.password_hash,
    version: row.version,
    isEnabled: row.is_enabled === 1,
    isAdministrator: policyIds.includes(POLICY_ADMINISTRATORS.id),
    operations: expandOperations(chosen),
  }
}
