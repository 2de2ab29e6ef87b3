// Folders and logs in memory. A change brings only the rows that are newer than memory; each Tree
// is a new object that never changes, so that a search may hold one for as long as it runs.
import type { Transaction } from 'kysely'
import { LEVEL_SEPARATOR, logPathKey } from '../../../schemas/names/log-path.ts'
import type { FolderRow, LogRow, Tables } from '../../database/tables.ts'
import { readTextList } from '../json-list.ts'
import type { FolderRecord, LogRecord, Tree } from './port.ts'

/** Parent of the top level in the tables. */
export const ROOT_FOLDER_ID = 0
export const ROOT_PATH = ''

export type IndexedTree = Tree & {
  /** By levels joined with '->'; the root is ROOT_PATH. */
  readonly folderIdByPath: ReadonlyMap<string, number>
  /** Levels from the root of each folder. */
  readonly folderLevels: ReadonlyMap<number, readonly string[]>
}

export const EMPTY_TREE: IndexedTree = {
  folders: new Map(),
  logs: new Map(),
  logsByPath: new Map(),
  folderIdByPath: new Map([[ROOT_PATH, ROOT_FOLDER_ID]]),
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
  folderRows: readonly FolderRow[],
  logRows: readonly LogRow[],
): IndexedTree {
  const folders = new Map(before.folders)
  const folderLevels = new Map(before.folderLevels)
  const folderIdByPath = new Map(before.folderIdByPath)
  for (const row of folderRows) {
    const record = folderFromRow(row)
    folders.set(record.id, record)
    const levels = [...(folderLevels.get(row.parent_id) ?? []), row.name]
    folderLevels.set(record.id, levels)
    folderIdByPath.set(levels.join(LEVEL_SEPARATOR), record.id)
  }
  const logs = new Map(before.logs)
  const logsByPath = new Map(before.logsByPath)
  for (const row of logRows) {
    const record = logFromRow(row, folderLevels.get(row.folder_id) ?? [])
    logs.set(record.id, record)
    logsByPath.set(logPathKey(record.folder, record.name), record)
  }
  return { folders, logs, logsByPath, folderIdByPath, folderLevels }
}

function folderFromRow(row: FolderRow): FolderRecord {
  const parentId = row.parent_id === ROOT_FOLDER_ID ? null : row.parent_id
  return { id: row.id, parentId, name: row.name }
}

function logFromRow(row: LogRow, folder: readonly string[]): LogRecord {
  return {
    id: row.id,
    folderId: row.folder_id,
    folder,
    name: row.name,
    accountId: row.account_id,
    policyId: row.policy_id,
    appTags: readTextList(row.app_tags),
    typeWords: readTextList(row.type_words),
  }
}
