// Users with their effective rights, groups, and who may view and edit which node: the whole of it
// in memory, it is small.
import type { Transaction } from 'kysely'
import {
  expandOperations,
  type Operation,
  POLICY_ADMINISTRATORS,
  type UserRecord,
} from '../../../schemas/users.ts'
import type { GroupAdministratorRow, Tables, UserRow } from '../../database/tables.ts'
import { readIdList, readTextList } from '../json-list.ts'
import {
  groupsOfMember,
  groupsOfUser,
  makeGroupGraph,
  policiesOfMember,
  policiesOfUser,
} from './group-graph.ts'
import type { NodePermissions, Viewers } from './visible-logs.ts'

/** What a member of the group has by it, and who administers it. */
export type GroupRecord = {
  readonly id: number
  readonly isAdministrator: boolean
  readonly operations: ReadonlySet<Operation>
  /** Itself, `everyone`, and all that hold one of them. */
  readonly groups: ReadonlySet<number>
  readonly administrators: Viewers
}

export type SecurityState = {
  readonly usersById: ReadonlyMap<number, UserRecord>
  readonly usersByFoldedName: ReadonlyMap<string, UserRecord>
  /** Effective groups of a user: direct, through other groups, and everyone. */
  readonly groupsOfUser: ReadonlyMap<number, ReadonlySet<number>>
  readonly groups: ReadonlyMap<number, GroupRecord>
  readonly permissions: NodePermissions
  /** As they are written. */
  readonly operationsOfPolicy: ReadonlyMap<number, readonly string[]>
  readonly editors: NodePermissions
  /** What each hides. */
  readonly masksOfPolicy: ReadonlyMap<number, readonly string[]>
}

/** They would lead around what is hidden: `system.security` to other policies, the others to values
 *  that somebody else saw (groups of alerts) or asked for (queries in the audit log). */
const UNMASKED_ONLY: ReadonlySet<Operation> = new Set([
  'system',
  'system.security',
  'system.audit',
  'system.alerts',
])
const NO_NODES: NodePermissions = { folders: new Map(), logs: new Map() }

export const EMPTY_SECURITY: SecurityState = {
  usersById: new Map(),
  usersByFoldedName: new Map(),
  groupsOfUser: new Map(),
  operationsOfPolicy: new Map(),
  masksOfPolicy: new Map(),
  groups: new Map(),
  permissions: NO_NODES,
  editors: NO_NODES,
}

export async function loadSecurity(transaction: Transaction<Tables>): Promise<SecurityState> {
  const users = await transaction
    .selectFrom('users')
    .selectAll()
    .where('removed_ms', 'is', null)
    .execute()
  const groupRows = await transaction
    .selectFrom('user_groups')
    .select(['id', 'policy_id'])
    .execute()
  const graph = makeGroupGraph(await transaction.selectFrom('group_members').selectAll().execute())
  const administrators = await transaction.selectFrom('group_administrators').selectAll().execute()
  const policyRows = await transaction
    .selectFrom('policies')
    .select(['id', 'operations', 'masks'])
    .execute()

  const operationsOfPolicy = new Map(
    policyRows.map((row) => [row.id, readTextList(row.operations)]),
  )
  const masksOfPolicy = new Map(policyRows.map((row) => [row.id, readTextList(row.masks ?? '[]')]))
  const policyOfGroup = new Map(groupRows.map((row) => [row.id, row.policy_id]))
  const groups = new Map<number, GroupRecord>()
  for (const { id } of groupRows)
    groups.set(id, {
      id,
      ...grantsOf(policiesOfMember(graph, policyOfGroup, id), operationsOfPolicy),
      groups: groupsOfMember(graph, id),
      administrators: administratorsOf(administrators, id),
    })
  const userGroups = new Map<number, ReadonlySet<number>>()
  const usersById = new Map<number, UserRecord>()
  const usersByFoldedName = new Map<string, UserRecord>()
  for (const row of users) {
    const policyIds = policiesOfUser(graph, policyOfGroup, row)
    const grants = grantsOf(policyIds, operationsOfPolicy)
    const user = { ...userFromRow(row), ...grants, ...maskedBy(policyIds, masksOfPolicy, grants) }
    userGroups.set(row.id, groupsOfUser(graph, row.id))
    usersById.set(row.id, user)
    usersByFoldedName.set(row.name_folded, user)
  }
  return {
    ...{ usersById, usersByFoldedName, groupsOfUser: userGroups, groups, operationsOfPolicy },
    masksOfPolicy,
    permissions: await loadViewers(transaction),
    editors: await loadEditors(transaction),
  }
}

async function loadViewers(transaction: Transaction<Tables>): Promise<NodePermissions> {
  const rows = await transaction.selectFrom('node_permissions').selectAll().execute()
  return byNode(rows.map((row) => ({ ...row, groupIds: row.view_groups, userIds: row.view_users })))
}

async function loadEditors(transaction: Transaction<Tables>): Promise<NodePermissions> {
  const rows = await transaction.selectFrom('node_editors').selectAll().execute()
  return byNode(rows.map((row) => ({ ...row, groupIds: row.edit_groups, userIds: row.edit_users })))
}

function byNode(
  rows: readonly {
    node_kind: 'folder' | 'log'
    node_id: number
    groupIds: string
    userIds: string
  }[],
): NodePermissions {
  const folders = new Map<number, Viewers>()
  const logs = new Map<number, Viewers>()
  for (const row of rows) {
    const place = row.node_kind === 'folder' ? folders : logs
    place.set(row.node_id, {
      groups: new Set(readIdList(row.groupIds)),
      users: new Set(readIdList(row.userIds)),
    })
  }
  return { folders, logs }
}

function administratorsOf(rows: readonly GroupAdministratorRow[], groupId: number): Viewers {
  const own = rows.filter((row) => row.group_id === groupId)
  const ids = (kind: 'user' | 'group') =>
    new Set(own.filter((row) => row.admin_kind === kind).map((row) => row.admin_id))
  return { users: ids('user'), groups: ids('group') }
}

function grantsOf(
  policyIds: ReadonlySet<number>,
  operationsOfPolicy: ReadonlyMap<number, readonly string[]>,
): { isAdministrator: boolean; operations: ReadonlySet<Operation> } {
  const chosen = [...policyIds].flatMap((id) => operationsOfPolicy.get(id) ?? [])
  const isAdministrator = policyIds.has(POLICY_ADMINISTRATORS.id)
  return { isAdministrator, operations: expandOperations(chosen) }
}

/** All that any of the policies hides; nothing from administrators, who could change it. Nobody
 *  gives rights who does not see what others would see by them. */
function maskedBy(
  policyIds: ReadonlySet<number>,
  masksOfPolicy: ReadonlyMap<number, readonly string[]>,
  { isAdministrator, operations }: Pick<UserRecord, 'isAdministrator' | 'operations'>,
): Pick<UserRecord, 'masks' | 'operations'> {
  const masks = joinMasks(...[...policyIds].map((id) => masksOfPolicy.get(id) ?? []))
  return isAdministrator ? { masks: [], operations } : withMasks(masks, operations)
}

/** By the policies of now and by those of the way in which he signed in. */
export function masksOf(
  { usersById }: SecurityState,
  { id, masks }: Pick<UserRecord, 'id' | 'masks'>,
): readonly string[] {
  return joinMasks(usersById.get(id)?.masks ?? [], masks)
}

/** Each once, in order. */
export function joinMasks(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort()
}

export function withMasks(
  masks: readonly string[],
  operations: ReadonlySet<Operation>,
): Pick<UserRecord, 'masks' | 'operations'> {
  if (masks.length === 0) return { masks, operations }
  const left = [...operations].filter((operation) => !UNMASKED_ONLY.has(operation))
  return { masks, operations: new Set(left) }
}

function userFromRow(row: UserRow): Omit<UserRecord, 'isAdministrator' | 'operations' | 'masks'> {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    passwordHash: row.password_hash,
    version: row.version,
    isEnabled: row.is_enabled === 1,
  }
}
