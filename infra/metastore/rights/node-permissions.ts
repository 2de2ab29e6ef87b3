// Sets who may view a folder or log, inside the caller's write transaction (decision 7.1).
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion } from '../counters.ts'
import { type NodePlace, nameOf, requireFolder, requireLog } from '../tree/find-node.ts'
import { requireGroups, requireUser } from '../users/user-changes.ts'

/** Names; both lists empty: administrators only. */
export type ViewerNames = { readonly groups: readonly string[]; readonly users: readonly string[] }

/** Fails with object.not_found (node, group, user), object.built_in (System). */
export async function setViewers(
  transaction: Transaction<Tables>,
  place: NodePlace,
  viewers: ViewerNames,
): Promise<void> {
  const nodeId = await requireNode(transaction, place)
  const groupIds = await requireGroups(transaction, viewers.groups)
  const userIds: number[] = []
  for (const name of viewers.users) userIds.push((await requireUser(transaction, name)).id)
  const lists = { view_groups: JSON.stringify(groupIds), view_users: JSON.stringify(userIds) }
  await transaction
    .insertInto('node_permissions')
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
  const nodeId = await requireNode(transaction, place)
  await transaction
    .deleteFrom('node_permissions')
    .where('node_kind', '=', place.kind)
    .where('node_id', '=', nodeId)
    .execute()
  await raiseVersion(transaction, 'security')
}

async function requireNode(transaction: Transaction<Tables>, place: NodePlace): Promise<number> {
  const { kind, levels } = place
  if (levels[0] === SYSTEM_FOLDER)
    throw new Failure('object.built_in', { kind, name: nameOf(place) })
  return kind === 'folder'
    ? await requireFolder(transaction, levels)
    : (await requireLog(transaction, levels)).id
}
