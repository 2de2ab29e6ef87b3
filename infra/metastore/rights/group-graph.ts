// Groups in groups: which ones a user is in, and which policies he has by them. Pure.
import { GROUP_EVERYONE } from '../../../schemas/users.ts'
import type { GroupMemberRow } from '../../database/tables.ts'

export type GroupGraph = {
  /** Groups that hold the user directly. */
  readonly ofUser: ReadonlyMap<number, readonly number[]>
  /** Groups that hold the group directly: its parents. */
  readonly ofGroup: ReadonlyMap<number, readonly number[]>
}

type Policies = ReadonlyMap<number, number | null>

export function makeGroupGraph(members: readonly GroupMemberRow[]): GroupGraph {
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

/** Everybody is in `everyone`, and so in the groups that hold it. */
export function groupsOfUser(graph: GroupGraph, userId: number): ReadonlySet<number> {
  return withParents(graph, [GROUP_EVERYONE.id, ...(graph.ofUser.get(userId) ?? [])])
}

/** As of a user who is in this group alone. */
export function groupsOfMember(graph: GroupGraph, groupId: number): ReadonlySet<number> {
  return withParents(graph, [GROUP_EVERYONE.id, groupId])
}

/** The user's own policy, and those by the groups that hold him. */
export function policiesOfUser(
  graph: GroupGraph,
  policyOfGroup: Policies,
  user: { readonly id: number; readonly policy_id: number | null },
): ReadonlySet<number> {
  const direct = [GROUP_EVERYONE.id, ...(graph.ofUser.get(user.id) ?? [])]
  const found = policiesByGroups(graph, policyOfGroup, direct)
  return user.policy_id === null ? found : found.add(user.policy_id)
}

/** As of a user who is in this group alone and has no policy of his own. */
export function policiesOfMember(
  graph: GroupGraph,
  policyOfGroup: Policies,
  groupId: number,
): ReadonlySet<number> {
  return policiesByGroups(graph, policyOfGroup, [GROUP_EVERYONE.id, groupId])
}

/** A group gives its own policy; one that has none gives those of its parents
 *  (docs/decisions/0044). */
function policiesByGroups(
  graph: GroupGraph,
  policyOfGroup: Policies,
  from: readonly number[],
): Set<number> {
  const found = new Set<number>()
  const seen = new Set(from)
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const own = policyOfGroup.get(id) ?? null
    if (own !== null) found.add(own)
    else for (const parent of newOnes(seen, graph.ofGroup.get(id))) open.push(parent)
  }
  return found
}

function withParents(graph: GroupGraph, from: readonly number[]): ReadonlySet<number> {
  const found = new Set(from)
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const parent of newOnes(found, graph.ofGroup.get(id))) open.push(parent)
  return found
}

/** Those not seen yet, which are so from now on: groups that hold each other end, too. */
function newOnes(seen: Set<number>, ids: readonly number[] = []): number[] {
  const fresh = ids.filter((id) => !seen.has(id))
  for (const id of fresh) seen.add(id)
  return fresh
}
