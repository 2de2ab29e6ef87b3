// What a change of rights gives or takes beyond what its maker holds. Pure.
import { expandOperations, type Operation, type UserRecord } from '../../../schemas/users.ts'
import type { Tree } from '../tree/port.ts'
import { logsOpenedBy } from './guarded-logs.ts'
import {
  FULL_ACCESS,
  makeNodeAccess,
  NO_ACCESS,
  type NodeAccess,
  type NodeId,
} from './node-access.ts'
import type { SecurityState } from './security-state.ts'
import type { NodePermissions, Viewer } from './visible-logs.ts'

export type RightsChange = {
  readonly before: SecurityState
  readonly after: SecurityState
  readonly tree: Tree
  /** No administrator. As he signed in: a token may allow less than its user. */
  readonly actor: UserRecord
}

type Own = { readonly operations: ReadonlySet<Operation>; readonly access: NodeAccess }

/** What somebody has: a user, or whoever is only in one group. */
type Holding = Own & { readonly isAdministrator: boolean }

const NOTHING: Holding = { isAdministrator: false, operations: new Set(), access: NO_ACCESS }

/** In words; undefined: nothing. Names no folder, log, user or group: the maker may not know
 *  them. */
export function findExcess({ before, after, tree, actor }: RightsChange): string | undefined {
  const known = userHolding(before, tree, actor.id)
  const own = {
    operations: new Set([...known.operations].filter((one) => actor.operations.has(one))),
    access: known.access,
  }
  // Any other node has the rights of the nearest of these above it, before and after.
  const nodes = listedNodes([before.permissions, before.editors, after.permissions, after.editors])
  const pairs = [
    ...pairsOf(before.usersById, after.usersById, (state, id) => userHolding(state, tree, id)),
    ...pairsOf(before.groups, after.groups, (state, id) => groupHolding(state, tree, id)),
    ...pairsOf(before.operationsOfPolicy, after.operationsOfPolicy, policyHolding),
  ]
  for (const [was, is] of pairs) {
    const excess = findDifference(was, is, own, nodes)
    if (excess !== undefined) return excess
  }
  // With the password of another come all his rights; without him, they are gone.
  for (const [id, { version }] of before.usersById) {
    if (id === actor.id || after.usersById.get(id)?.version === version) continue
    const excess = findDifference(userHolding(before, tree, id), NOTHING, own, nodes)
    if (excess !== undefined) return excess
  }
  return findUnmasking({ before, after, tree, actor }, nodes)

  function pairsOf(
    olds: ReadonlyMap<number, unknown>,
    news: ReadonlyMap<number, unknown>,
    holding: (state: SecurityState, id: number) => Holding,
  ): [Holding, Holding][] {
    return [...new Set([...olds.keys(), ...news.keys()])].map((id) => [
      holding(before, id),
      holding(after, id),
    ])
  }
}

/** Whoever takes a mask away shows others values of all events that they may view: he views these
 *  himself, or shows to others what is not his. A policy may also be that of a token. */
function findUnmasking(
  { before, after, tree, actor }: RightsChange,
  nodes: readonly NodeId[],
): string | undefined {
  const own = userHolding(before, tree, actor.id).access
  const isShown = (access: NodeAccess) =>
    nodes.every((node) => !access.mayView(node) || own.mayView(node))
  for (const [id, { masks }] of before.usersById) {
    const now = after.usersById.get(id)?.masks ?? masks
    if (loses(masks, now) && !isShown(userHolding(after, tree, id).access)) return UNMASKING
  }
  for (const [id, masks] of before.masksOfPolicy) {
    const now = after.masksOfPolicy.get(id) ?? masks
    if (loses(masks, now) && !isShown(FULL_ACCESS)) return UNMASKING
  }
  return undefined
}

const UNMASKING = 'the right to view events whose values would be shown'

function loses(masks: readonly string[], now: readonly string[]): boolean {
  return masks.some((mask) => !now.includes(mask))
}

function findDifference(
  was: Holding,
  is: Holding,
  own: Own,
  nodes: readonly NodeId[],
): string | undefined {
  if (was.isAdministrator !== is.isAdministrator) return 'all rights'
  for (const operation of new Set([...was.operations, ...is.operations])) {
    const isSame = was.operations.has(operation) === is.operations.has(operation)
    if (!isSame && !own.operations.has(operation)) return operation
  }
  for (const node of nodes) {
    const isSeenAlike = was.access.mayView(node) === is.access.mayView(node)
    if (!isSeenAlike && !own.access.mayView(node)) return 'the right to view a folder or log'
    const isEditedAlike = was.access.mayEdit(node) === is.access.mayEdit(node)
    if (!isEditedAlike && !own.access.mayEdit(node)) return 'the right to edit a folder or log'
  }
  return undefined
}

function userHolding(state: SecurityState, tree: Tree, id: number): Holding {
  const user = state.usersById.get(id)
  if (user === undefined) return NOTHING
  const groups = state.groupsOfUser.get(id) ?? new Set()
  const access = user.isAdministrator
    ? FULL_ACCESS
    : makeNodeAccess(tree, state, viewerOf(id, groups, user))
  return { isAdministrator: user.isAdministrator, operations: user.operations, access }
}

/** No user has this id. */
const NO_USER = -1

function groupHolding(state: SecurityState, tree: Tree, id: number): Holding {
  const group = state.groups.get(id)
  if (group === undefined) return NOTHING
  const { isAdministrator, operations, groups } = group
  const access = isAdministrator
    ? FULL_ACCESS
    : makeNodeAccess(tree, state, viewerOf(NO_USER, groups, group))
  return { isAdministrator, operations, access }
}

function viewerOf(
  userId: number,
  groups: ReadonlySet<number>,
  { operations }: { readonly operations: ReadonlySet<Operation> },
): Viewer {
  return { userId, groups, opened: logsOpenedBy(operations) }
}

function policyHolding(state: SecurityState, id: number): Holding {
  return { ...NOTHING, operations: expandOperations(state.operationsOfPolicy.get(id) ?? []) }
}

function listedNodes(lists: readonly NodePermissions[]): NodeId[] {
  const folders = new Set([0, ...lists.flatMap((list) => [...list.folders.keys()])])
  const logs = new Set(lists.flatMap((list) => [...list.logs.keys()]))
  return [
    ...[...folders].map((id) => ({ kind: 'folder' as const, id })),
    ...[...logs].map((id) => ({ kind: 'log' as const, id })),
  ]
}
