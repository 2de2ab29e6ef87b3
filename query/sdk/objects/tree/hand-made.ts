// Which folders and logs somebody set up, and which came with data: those come back with data by
// themselves, and would fill a configuration with thousands of names.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import {
  NO_DEFINITION,
  readLogDefinition,
} from '../../../../infra/metastore/tree/log-definitions.ts'
import type { LogRecord } from '../../../../infra/metastore/tree/port.ts'
import type { IndexedTree } from '../../../../infra/metastore/tree/tree-cache.ts'

export type HandMade = { readonly folders: ReadonlySet<number>; readonly logs: ReadonlySet<number> }

/** A log that an account made, without description, definition and viewers of its own, came with
 *  data; so did a folder that holds nothing else and has no description or viewers. */
export async function findHandMade(
  transaction: DatabaseTransaction,
  tree: IndexedTree,
): Promise<HandMade> {
  const rows = transaction.selectFrom('node_permissions').select(['node_kind', 'node_id'])
  const withViewers = { folder: new Set<number>(), log: new Set<number>() }
  for (const { node_kind, node_id } of await rows.execute()) withViewers[node_kind].add(node_id)
  const folders = new Set<number>()
  const withLogs = new Set<number>()
  const logs = new Set<number>()
  const addWithAbove = (to: Set<number>, from: number | null) => {
    for (let id = from; id !== null && !to.has(id); id = tree.folders.get(id)?.parentId ?? null)
      to.add(id)
  }
  for (const log of tree.logs.values()) {
    addWithAbove(withLogs, log.folderId)
    if (cameWithData(log) && !withViewers.log.has(log.id)) continue
    logs.add(log.id)
    addWithAbove(folders, log.folderId)
  }
  for (const { id, description } of tree.folders.values())
    if (description !== '' || withViewers.folder.has(id) || !withLogs.has(id))
      addWithAbove(folders, id)
  return { folders, logs }
}

function cameWithData({ accountId, description, definition }: LogRecord): boolean {
  const isUndefined = definition === readLogDefinition(NO_DEFINITION)
  return accountId !== null && description === '' && isUndefined
}
