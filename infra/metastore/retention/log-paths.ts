// Paths of all logs, also of those that were removed from the tree: their events lie in the store.
import type { Database } from '../../database/port.ts'
import { ROOT_FOLDER_ID } from '../tree/tree-cache.ts'

/** Levels from the root, the log's name last; undefined: there is none of the id. */
export async function readLogPaths(
  db: Database['read'],
): Promise<
  (logId: number) => { readonly levels: string[]; readonly isRemoved: boolean } | undefined
> {
  const folders = await db.selectFrom('folders').select(['id', 'parent_id', 'name']).execute()
  const logs = await db
    .selectFrom('logs')
    .select(['id', 'folder_id', 'name', 'removed_ms'])
    .execute()
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const named = new Map(logs.map((log) => [Number(log.id), log]))
  return (logId) => {
    const log = named.get(logId)
    if (log === undefined) return undefined
    const levels = [log.name]
    let folder = byId.get(log.folder_id)
    // No path is longer than there are folders.
    while (
      folder !== undefined &&
      folder.id !== ROOT_FOLDER_ID &&
      levels.length <= folders.length
    ) {
      levels.unshift(folder.name)
      folder = byId.get(folder.parent_id)
    }
    return { levels, isRemoved: log.removed_ms !== null }
  }
}
