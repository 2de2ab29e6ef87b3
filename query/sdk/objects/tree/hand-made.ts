// Which folders and logs somebody set up, and which came with data: those come back with data by
// themselves, and would fill a configuration with thousands of names.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import type { IndexedTree } from '../../../../infra/metastore/tree/tree-cache.ts'

export type HandMade = { readonly folders: ReadonlySet<number>; readonly logs: ReadonlySet<number> }

/** Those that an operator made, changed, or gave viewers or editors, and the folders above them. */
export async function findHandMade(
  transaction: DatabaseTransaction,
  tree: IndexedTree,
): Promise<HandMade> {
  const made = { folder: await declaredIn('folders'), log: await declaredIn('logs') }
  for (const table of ['node_permissions', 'node_editors'] as const) {
    const rows = transaction.selectFrom(table).select(['node_kind', 'node_id'])
    for (const { node_kind, node_id } of await rows.execute()) made[node_kind].add(node_id)
  }
  const folders = new Set<number>()
  const addWithAbove = (from: number) => {
    let id: number | null = from
    for (; id !== null && !folders.has(id); id = tree.folders.get(id)?.parentId ?? null)
      folders.add(id)
  }
  for (const id of made.folder) addWithAbove(id)
  for (const id of made.log) {
    const log = tree.logs.get(id)
    if (log !== undefined) addWithAbove(log.folderId)
  }
  return { folders, logs: made.log }

  async function declaredIn(table: 'folders' | 'logs'): Promise<Set<number>> {
    const declared = transaction.selectFrom(table).select('id').where('is_declared', '=', 1)
    return new Set((await declared.where('removed_ms', 'is', null).execute()).map(({ id }) => id))
  }
}
