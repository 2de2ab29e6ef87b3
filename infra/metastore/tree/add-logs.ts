// New folders and logs, all or none, in the write transaction that its caller has begun. Writers
// are serial, so what the tree of this transaction lacks nobody else can be making.
import type { Transaction } from 'kysely'
import { LEVEL_SEPARATOR, logPathKey } from '../../../schemas/names/log-path.ts'
import type { FolderRow, LogRow, Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { NO_DEFINITION } from './log-definitions.ts'
import type { NewLog } from './port.ts'
import { type IndexedTree, ROOT_FOLDER_ID, ROOT_PATH } from './tree-cache.ts'

const ROWS_A_STATEMENT = 200

/** `tree` must be what the transaction sees. Logs that exist are passed over; one that was removed
 *  gets its id back, and keeps its policy, for its events lie under both. */
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
  const fresh: NewLog[] = []
  for (const [key, log] of wanted) {
    const removed = tree.removedLogsByPath.get(key)
    if (removed === undefined) fresh.push(log)
    else
      await transaction
        .updateTable('logs')
        .set({ ...ownFacts(log, nowMs), changed })
        .where('id', '=', removed.id)
        .execute()
  }
  if (fresh.length === 0) return
  const firstId = await takeIds(transaction, 'log', fresh.length)
  const rows = fresh.map(
    (log, index): LogRow => ({
      ...ownFacts(log, nowMs),
      id: firstId + index,
      folder_id: folderIds(pathOf(log.folder)),
      name: log.name,
      policy_id: log.policyId,
      changed,
    }),
  )
  for (const some of chunks(rows)) await transaction.insertInto('logs').values(some).execute()
}

/** What a log made again does not take over from before. */
function ownFacts(log: NewLog, nowMs: number) {
  return {
    account_id: log.accountId,
    app_tags: JSON.stringify(log.appTags),
    type_words: JSON.stringify(log.typeWords),
    received_hour: log.receivedHour,
    made_ms: nowMs,
    description: '',
    definition: NO_DEFINITION,
    removed_ms: null,
    is_declared: 0,
  } as const
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
  const { removedFolderIdByPath } = tree
  const fresh = [...missing].filter(([path]) => !removedFolderIdByPath.has(path))
  const again = [...missing.keys()].flatMap((path) => removedFolderIdByPath.get(path) ?? [])
  const firstId = fresh.length === 0 ? 0 : await takeIds(transaction, 'folder', fresh.length)
  const newIds = new Map(fresh.map(([path], index) => [path, firstId + index]))
  const idOf = (path: string) =>
    tree.folderIdByPath.get(path) ??
    removedFolderIdByPath.get(path) ??
    newIds.get(path) ??
    ROOT_FOLDER_ID
  const rows = fresh.map(
    ([path, folder]): FolderRow => ({
      id: idOf(path),
      parent_id: idOf(folder.parent),
      name: folder.name,
      changed,
      description: '',
      removed_ms: null,
      is_declared: 0,
    }),
  )
  for (const some of chunks(rows)) await transaction.insertInto('folders').values(some).execute()
  for (const id of again)
    await transaction
      .updateTable('folders')
      .set({ description: '', removed_ms: null, changed, is_declared: 0 })
      .where('id', '=', id)
      .execute()
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
