// Folders and logs of one transaction, removed ones too: their events are still there.
import { setImmediate } from 'node:timers/promises'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { LogRow } from '../../database/tables.ts'
import { ROOT_FOLDER_ID } from '../tree/tree-cache.ts'

export type EventFolder = {
  readonly id: number
  readonly parentId: number | null
  readonly levels: readonly string[]
  readonly isRemoved: boolean
}

export type EventLog = {
  readonly id: number
  readonly folderId: number
  readonly folder: readonly string[]
  readonly name: string
  readonly accountId: number | null
  readonly policyId: number
  /** JSON. */
  readonly typeWords: string
  /** JSON of logDefinitionSchema. */
  readonly definition: string
  readonly isRemoved: boolean
}

export type EventNodes = {
  readonly folders: ReadonlyMap<number, EventFolder>
  readonly logs: ReadonlyMap<number, EventLog>
  readonly foldersIn: ReadonlyMap<number, readonly EventFolder[]>
  readonly logsIn: ReadonlyMap<number, readonly EventLog[]>
}

export const NO_NODES: EventNodes = {
  folders: new Map(),
  logs: new Map(),
  foldersIn: new Map(),
  logsIn: new Map(),
}

/** As many take a few milliseconds: then others have their turn. */
const LOGS_A_READ = 1000

const LOG_COLUMNS = [
  ...(['id', 'folder_id', 'name', 'account_id', 'policy_id'] as const),
  ...(['type_words', 'definition', 'removed_ms'] as const),
] as const

export async function loadEventNodes(transaction: DatabaseTransaction): Promise<EventNodes> {
  const folderRows = await transaction
    .selectFrom('folders')
    .select(['id', 'parent_id', 'name', 'removed_ms'])
    .where('id', '<>', ROOT_FOLDER_ID)
    // A parent has a smaller id than what lies in it.
    .orderBy('id')
    .execute()
  const folders = new Map<number, EventFolder>()
  const foldersIn = new Map<number, EventFolder[]>()
  for (const { id, parent_id, name, removed_ms } of folderRows) {
    const parentId = parent_id === ROOT_FOLDER_ID ? null : parent_id
    const levels = [...(folders.get(parent_id)?.levels ?? []), name]
    const folder = { id, parentId, levels, isRemoved: removed_ms !== null }
    folders.set(id, folder)
    put(foldersIn, parent_id, folder)
  }
  const logs = new Map<number, EventLog>()
  const logsIn = new Map<number, EventLog[]>()
  let lastId = 0
  for (let isMore = true; isMore; ) {
    const rows = await transaction
      .selectFrom('logs')
      .select(LOG_COLUMNS)
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(LOGS_A_READ)
      .execute()
    for (const row of rows) {
      const log = logFromRow(row, folders.get(row.folder_id)?.levels ?? [])
      logs.set(log.id, log)
      put(logsIn, log.folderId, log)
      lastId = log.id
    }
    isMore = rows.length === LOGS_A_READ
    if (isMore) await setImmediate()
  }
  return { folders, logs, foldersIn, logsIn }
}

function logFromRow(
  row: Pick<LogRow, (typeof LOG_COLUMNS)[number]>,
  folder: readonly string[],
): EventLog {
  return {
    ...{ id: row.id, folderId: row.folder_id, folder, name: row.name },
    ...{ accountId: row.account_id, policyId: row.policy_id, typeWords: row.type_words },
    ...{ definition: row.definition, isRemoved: row.removed_ms !== null },
  }
}

function put<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
