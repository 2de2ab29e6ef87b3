// Changes of groups, each inside the caller's write transaction. Whether the caller may give what a
// change gives, runWithinRights asks.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { GROUP_ADMINISTRATORS, GROUP_EVERYONE } from '../../../schemas/users.ts'
import { foldName } from '../../database/fold-name.ts'
import type { GroupRow, Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'
import { forgetGroupInLists } from '../rights/forget-group.ts'
import { makeGroupGraph } from '../rights/group-graph.ts'
import { requireAdministrator } from '../rights/require-administrator.ts'
import { requireGroup } from './find-group.ts'
import {
  addMembers,
  removeMembers,
  setAdministeredGroups,
  setAdministrators,
  setMembers,
  setParents,
} from './group-links.ts'
import { findPolicyId } from './policy-changes.ts'

/** Lists replace what was there. Members and administrators as requirePrincipals reads them. */
export type GroupChange = {
  readonly displayName?: string | undefined
  readonly description?: string | undefined
  readonly parents?: readonly string[] | undefined
  readonly members?: readonly string[] | undefined
  readonly addMembers?: readonly string[] | undefined
  readonly removeMembers?: readonly string[] | undefined
  readonly administrators?: readonly string[] | undefined
  /** Groups that the members of this one administer. */
  readonly administeredGroups?: readonly string[] | undefined
  /** Name; '' takes the group's own policy away: it has those of its parents. */
  readonly policy?: string | undefined
}

/** Fails with object.exists, object.looks_alike, object.invalid (name), object.not_found (user,
 *  group, policy), object.circular. */
export async function addGroup(
  transaction: Transaction<Tables>,
  name: string,
  change: GroupChange,
): Promise<void> {
  requireNameCharacters('group', name)
  const groups = await transaction.selectFrom('user_groups').selectAll().execute()
  const known = groups.find((group) => group.name_folded === foldName(name))
  if (known !== undefined) throw new Failure('object.exists', { kind: 'group', name: known.name })
  refuseAlike('group', name, groups)
  const id = await takeIds(transaction, 'group', 1)
  await transaction
    .insertInto('user_groups')
    .values({
      id,
      name,
      name_folded: foldName(name),
      display_name: change.displayName ?? name,
      description: change.description ?? '',
      policy_id: await findPolicyId(transaction, change.policy),
      is_fixed: 0,
    })
    .execute()
  await setLinks(transaction, { id, name }, change)
  await raiseVersion(transaction, 'security')
}

/** What is not given stays. Of the built-in groups, only the members of `administrators` change.
 *  Fails as addGroup, and with object.built_in, object.last_administrator. */
export async function editGroup(
  transaction: Transaction<Tables>,
  name: string,
  change: GroupChange,
): Promise<void> {
  const group = await requireGroup(transaction, name)
  refuseBuiltIn(group, change)
  await transaction
    .updateTable('user_groups')
    .set({
      display_name: change.displayName ?? group.display_name,
      description: change.description ?? group.description,
      policy_id:
        change.policy === undefined
          ? group.policy_id
          : await findPolicyId(transaction, change.policy),
    })
    .where('id', '=', group.id)
    .execute()
  await setLinks(transaction, group, change)
  await raiseVersion(transaction, 'security')
  await requireAdministrator(transaction)
}

/** Lists of folders and logs name it no more. Fails with object.not_found, object.built_in,
 *  object.last_administrator. */
export async function removeGroup(transaction: Transaction<Tables>, name: string): Promise<void> {
  const { id, ...group } = await requireGroup(transaction, name)
  if (group.is_fixed === 1) throw builtIn(group)
  await transaction.deleteFrom('group_members').where('group_id', '=', id).execute()
  await transaction
    .deleteFrom('group_members')
    .where('member_kind', '=', 'group')
    .where('member_id', '=', id)
    .execute()
  await transaction.deleteFrom('group_administrators').where('group_id', '=', id).execute()
  await transaction
    .deleteFrom('group_administrators')
    .where('admin_kind', '=', 'group')
    .where('admin_id', '=', id)
    .execute()
  await forgetGroupInLists(transaction, id)
  await transaction.deleteFrom('user_groups').where('id', '=', id).execute()
  await raiseVersion(transaction, 'security')
  await requireAdministrator(transaction)
}

function refuseBuiltIn(group: GroupRow, change: GroupChange): void {
  if (group.is_fixed === 0) return
  const { members, addMembers: added, removeMembers: removed, ...rest } = change
  const isMembers = [members, added, removed].some((list) => list !== undefined)
  const isMore = Object.values(rest).some((value) => value !== undefined)
  if (isMore || (isMembers && group.id === GROUP_EVERYONE.id)) throw builtIn(group)
}

function builtIn({ name }: Pick<GroupRow, 'name'>): Failure {
  const details = { kind: 'group', name }
  const isAdministrators = name === GROUP_ADMINISTRATORS.name
  const hint = { hint: 'only its members can change' }
  return new Failure('object.built_in', { ...details, ...(isAdministrators ? hint : {}) })
}

async function setLinks(
  transaction: Transaction<Tables>,
  { id, name }: Pick<GroupRow, 'id' | 'name'>,
  change: GroupChange,
): Promise<void> {
  const { parents, members, administrators, administeredGroups } = change
  if (parents !== undefined) await setParents(transaction, id, parents)
  if (members !== undefined) await setMembers(transaction, id, members)
  if (change.addMembers !== undefined) await addMembers(transaction, id, change.addMembers)
  if (change.removeMembers !== undefined) await removeMembers(transaction, id, change.removeMembers)
  if (administrators !== undefined) await setAdministrators(transaction, id, administrators)
  if (administeredGroups !== undefined)
    await setAdministeredGroups(transaction, { kind: 'group', id }, administeredGroups)
  await refuseCircle(transaction, id, name)
}

/** Every new link has the group at one of its ends, so a new circle leads through it. */
async function refuseCircle(
  transaction: Transaction<Tables>,
  id: number,
  name: string,
): Promise<void> {
  const graph = makeGroupGraph(await transaction.selectFrom('group_members').selectAll().execute())
  const seen = new Set<number>()
  const open = [...(graph.ofGroup.get(id) ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) throw new Failure('object.circular', { kind: 'group', name })
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(graph.ofGroup.get(next) ?? []))
  }
}
