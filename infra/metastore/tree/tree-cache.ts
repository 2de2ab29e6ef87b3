// Folders and logs in memory. A change brings only the rows that are newer than memory; each Tree
// is a new object that never changes, so that a search may hold one for as long as it runs.
import type { Transaction } from 'kysely'
import { LEVEL_SEPARATOR, logPathKey } from '../../../schemas/names/log-path.ts'
import type { Tables, TreeFolderRow, TreeLogRow } from '../../database/tables.ts'
import { readTextList } from '../json-list.ts'
import { readLogDefinition } from './log-definitions.ts'
import type { FolderRecord, LogRecord, Tree } from './port.ts'

/** Parent of the top level in the tables. */
export const ROOT_FOLDER_ID = 0
export const ROOT_PATH = ''

export type IndexedTree = Tree & {
  /** By levels joined with '->'; the root is ROOT_PATH. */
  readonly folderIdByPath: ReadonlyMap<string, number>
  /** Folders that were removed and have not been made again, by the same key. */
  readonly removedFolderIdByPath: ReadonlyMap<string, number>
  /** Levels from the root of each folder, also of removed ones. */
  readonly folderLevels: ReadonlyMap<number, readonly string[]>
}

export const EMPTY_TREE: IndexedTree = {
  folders: new Map(),
  logs: new Map(),
  logsByPath: new Map(),
  removedLogsByPath: new Map(),
  folderIdByPath: new Map([[ROOT_PATH, ROOT_FOLDER_ID]]),
  removedFolderIdByPath: new Map(),
  folderLevels: new Map(),
}

export async function loadTree(
  transaction: Transaction<Tables>,
  before: IndexedTree,
  beforeVersion: number,
): Promise<IndexedTree> {
  const folders = await transaction
    .selectFrom('folders')
    .selectAll()
    .where('id', '<>', ROOT_FOLDER_ID)
    .where('changed', '>', beforeVersion)
    .orderBy('id')
    .execute()
  const logs = await transaction
    .selectFrom('logs')
    .selectAll()
    .where('changed', '>', beforeVersion)
    .orderBy('id')
    .execute()
  return mergeTree(before, folders, logs)
}

/** Rows in order of id: a parent has a smaller id than what lies in it. */
export function mergeTree(
  before: IndexedTree,
  folderRows: readonly TreeFolderRow[],
  logRows: readonly TreeLogRow[],
): IndexedTree {
  const folders = new Map(before.folders)
  const folderLevels = new Map(before.folderLevels)
  const folderIdByPath = new Map(before.folderIdByPath)
  const removedFolderIdByPath = new Map(before.removedFolderIdByPath)
  for (const row of folderRows) {
    const levels = [...(folderLevels.get(row.parent_id) ?? []), row.name]
    const path = levels.join(LEVEL_SEPARATOR)
    folderLevels.set(row.id, levels)
    if (row.removed_ms === null) folders.set(row.id, folderFromRow(row))
    else folders.delete(row.id)
    keepIn([folderIdByPath, removedFolderIdByPath], row, path, row.id)
  }
  const logs = new Map(before.logs)
  const logsByPath = new Map(before.logsByPath)
  const removedLogsByPath = new Map(before.removedLogsByPath)
  for (const row of logRows) {
    const record = logFromRow(row, folderLevels.get(row.folder_id) ?? [])
    if (row.removed_ms === null) logs.set(record.id, record)
    else logs.delete(record.id)
    keepIn([logsByPath, removedLogsByPath], row, logPathKey(record.folder, record.name), record)
  }
  return {
    ...{ folders, folderLevels, folderIdByPath, removedFolderIdByPath },
    ...{ logs, logsByPath, removedLogsByPath },
  }
}

/** In the one map or in the other. */
function keepIn<T>(
  [present, removed]: readonly [Map<string, T>, Map<string, T>],
  { removed_ms }: { readonly removed_ms: number | null },
  path: string,
  value: T,
): void {
  const [to, from] = removed_ms === null ? [present, removed] : [removed, present]
  from.delete(path)
  to.set(path, value)
}

function folderFromRow(row: TreeFolderRow): FolderRecord {
  const parentId = row.parent_id === ROOT_FOLDER_ID ? null : row.parent_id
  return { id: row.id, parentId, name: row.name, description: row.description }
}

function logFromRow(row: TreeLogRow, folder: readonly string[]): LogRecord {
  return {
    id: row.id,
    folderId: row.folder_id,
    folder,
    name: row.name,
    accountId: row.account_id,
    policyId: row.policy_id,
    appTags: readTextList(row.app_tags),
    typeWords: readTextList(row.type_words),
    description: row.description,
    definition: readLogDefinition(row.definition),
  }
}
