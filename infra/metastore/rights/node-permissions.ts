// Sets who may view and who may edit a folder or log, inside the caller's write transaction
// (decision 7.1).
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion } from '../counters.ts'
import { type NodePlace, nameOf, requireFolder, requireLog } from '../tree/find-node.ts'
import { requireUser } from '../users/find-user.ts'
import { requireGroups } from '../users/require-groups.ts'

/** Names; both lists empty: administrators only. */
export type ListedNames = { readonly groups: readonly string[]; readonly users: readonly string[] }

/** Fails with object.not_found (node, group, user), object.built_in (System). */
export async function setViewers(
  transaction: Transaction<Tables>,
  place: NodePlace,
  viewers: ListedNames,
): Promise<void> {
  const nodeId = await requireNode(transaction, place)
  const { groups, users } = await readIds(transaction, viewers)
  const lists = { view_groups: groups, view_users: users }
  await transaction
    .insertInto('node_permissions')
    .values({ node_kind: place.kind, node_id: nodeId, ...lists })
    .onConflict((conflict) => conflict.columns(['node_kind', 'node_id']).doUpdateSet(lists))
    .execute()
  await raiseVersion(transaction, 'security')
}

/** Fails as setViewers. */
export async function setEditors(
  transaction: Transaction<Tables>,
  place: NodePlace,
  editors: ListedNames,
): Promise<void> {
  const nodeId = await requireNode(transaction, place)
  const { groups, users } = await readIds(transaction, editors)
  const lists = { edit_groups: groups, edit_users: users }
  await transaction
    .insertInto('node_editors')
    .values({ node_kind: place.kind, node_id: nodeId, ...lists })
    .onConflict((conflict) => conflict.columns(['node_kind', 'node_id']).doUpdateSet(lists))
    .execute()
  await raiseVersion(transaction, 'security')
}

/** The node takes its parent's viewers again. */
export async function inheritViewers(
  transaction: Transaction<Tables>,
  place: NodePlace,
): Promise<void> {
  await inherit(transaction, place, 'node_permissions')
}

/** The node takes its parent's editors again. */
export async function inheritEditors(
  transaction: Transaction<Tables>,
  place: NodePlace,
): Promise<void> {
  await inherit(transaction, place, 'node_editors')
}

async function inherit(
  transaction: Transaction<Tables>,
  place: NodePlace,
  table: 'node_permissions' | 'node_editors',
): Promise<void> {
  const nodeId = await requireNode(transaction, place)
  await transaction
    .deleteFrom(table)
    .where('node_kind', '=', place.kind)
    .where('node_id', '=', nodeId)
    .execute()
  await raiseVersion(transaction, 'security')
}

async function readIds(
  transaction: Transaction<Tables>,
  names: ListedNames,
): Promise<{ groups: string; users: string }> {
  const groupIds = await requireGroups(transaction, names.groups)
  const userIds: number[] = []
  for (const name of names.users) userIds.push((await requireUser(transaction, name)).id)
  return { groups: JSON.stringify(groupIds), users: JSON.stringify(userIds) }
}

async function requireNode(transaction: Transaction<Tables>, place: NodePlace): Promise<number> {
  const { kind, levels } = place
  const id =
    kind === 'folder'
      ? await requireFolder(transaction, levels)
      : (await requireLog(transaction, levels)).id
  // Afterwards: a log that the caller may not view is answered as one that is not there.
  if (levels[0] === SYSTEM_FOLDER)
    throw new Failure('object.built_in', { kind, name: nameOf(place) })
  return id
}
