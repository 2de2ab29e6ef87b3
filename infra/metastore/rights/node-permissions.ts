// Sets who may view a folder or log, inside the caller's write transaction (decision 7.1).
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { LEVEL_SEPARATOR, logPathKey, SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion } from '../counters.ts'
import { EMPTY_TREE, loadTree, ROOT_FOLDER_ID } from '../tree/tree-cache.ts'
import { requireGroups, requireUser } from '../users/user-changes.ts'

export type NodePlace = {
  readonly kind: 'folder' | 'log'
  /** From the root; [] is the root folder. */
  readonly levels: readonly string[]
}

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
  const name = place.levels.join(LEVEL_SEPARATOR)
  if (place.levels[0] === SYSTEM_FOLDER)
    throw new Failure('object.built_in', { kind: place.kind, name })
  if (place.kind === 'folder' && place.levels.length === 0) return ROOT_FOLDER_ID
  const tree = await loadTree(transaction, EMPTY_TREE, 0)
  const id =
    place.kind === 'folder'
      ? tree.folderIdByPath.get(name)
      : tree.logsByPath.get(logPathKey(place.levels.slice(0, -1), place.levels.at(-1) ?? ''))?.id
  if (id === undefined) throw new Failure('object.not_found', { kind: place.kind, name })
  return id
}
