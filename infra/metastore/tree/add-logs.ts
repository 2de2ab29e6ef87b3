// New folders and logs, all or none, in the write transaction that its caller has begun. Writers
// are serial, so what the tree of this transaction lacks nobody else can be making.
import type { Transaction } from 'kysely'
import { LEVEL_SEPARATOR, logPathKey } from '../../../schemas/names/log-path.ts'
import type { FolderRow, LogRow, Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import type { NewLog } from './port.ts'
import { type IndexedTree, ROOT_FOLDER_ID, ROOT_PATH } from './tree-cache.ts'

const ROWS_A_STATEMENT = 200

/** `tree` must be what the transaction sees. Logs that exist are passed over. */
export async function insertLogs(
  transaction: Transaction<Tables>,
  tree: IndexedTree,
  logs: readonly NewLog[],
  nowMs: number,
): Promise<void> {
  const wanted = new Map<string, NewLog>()
  for (const log of logs) {
    const key = logPathKey(log.folder, log.name)
    if (!tree.logsByPath.has(key) && !wanted.has(key)) wanted.set(key, log)
  }
  if (wanted.size === 0) return
  const changed = await raiseVersion(transaction, 'tree')
  const folderIds = await insertFolders(transaction, tree, [...wanted.values()], changed)
  const firstId = await takeIds(transaction, 'log', wanted.size)
  const rows = [...wanted.values()].map(
    (log, index): LogRow => ({
      id: firstId + index,
      folder_id: folderIds(pathOf(log.folder)),
      name: log.name,
      account_id: log.accountId,
      policy_id: log.policyId,
      app_tags: JSON.stringify(log.appTags),
      type_words: JSON.stringify(log.typeWords),
      received_hour: log.receivedHour,
      made_ms: nowMs,
      changed,
    }),
  )
  for (const some of chunks(rows)) await transaction.insertInto('logs').values(some).execute()
}

/** Makes every missing level, parents first; gives the id of a folder by its path. */
async function insertFolders(
  transaction: Transaction<Tables>,
  tree: IndexedTree,
  logs: readonly NewLog[],
  changed: number,
): Promise<(path: string) => number> {
  const missing = new Map<string, { parent: string; name: string }>()
  for (const log of logs) {
    log.folder.forEach((name, depth) => {
      const path = pathOf(log.folder.slice(0, depth + 1))
      if (tree.folderIdByPath.has(path) || missing.has(path)) return
      missing.set(path, { parent: pathOf(log.folder.slice(0, depth)), name })
    })
  }
  const firstId = missing.size === 0 ? 0 : await takeIds(transaction, 'folder', missing.size)
  const newIds = new Map([...missing.keys()].map((path, index) => [path, firstId + index]))
  const idOf = (path: string) => tree.folderIdByPath.get(path) ?? newIds.get(path) ?? ROOT_FOLDER_ID
  const rows = [...missing].map(
    ([path, folder]): FolderRow => ({
      id: idOf(path),
      parent_id: idOf(folder.parent),
      name: folder.name,
      changed,
    }),
  )
  for (const some of chunks(rows)) await transaction.insertInto('folders').values(some).execute()
  return idOf
}

function pathOf(levels: readonly string[]): string {
  return levels.length === 0 ? ROOT_PATH : levels.join(LEVEL_SEPARATOR)
}

function chunks<T>(rows: readonly T[]): T[][] {
  const made: T[][] = []
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    made.push(rows.slice(from, from + ROWS_A_STATEMENT))
  return made
}
