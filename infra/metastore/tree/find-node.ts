// Folders and logs of one transaction by their path: a few reads by index, however large the tree.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import type { FolderRow, LogRow, Tables } from '../../database/tables.ts'
import { ROOT_FOLDER_ID } from './tree-cache.ts'

export type NodePlace = {
  readonly kind: 'folder' | 'log'
  /** From the root; [] is the root folder. */
  readonly levels: readonly string[]
}

/** Also one that was removed. */
export function findChildFolder(
  transaction: Transaction<Tables>,
  parentId: number,
  name: string,
): Promise<FolderRow | undefined> {
  return transaction
    .selectFrom('folders')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Also one that was removed. */
export function findChildLog(
  transaction: Transaction<Tables>,
  folderId: number,
  name: string,
): Promise<LogRow | undefined> {
  return transaction
    .selectFrom('logs')
    .selectAll()
    .where('folder_id', '=', folderId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Id of a folder that is there. Fails with object.not_found. */
export async function requireFolder(
  transaction: Transaction<Tables>,
  levels: readonly string[],
): Promise<number> {
  let id = ROOT_FOLDER_ID
  for (const name of levels) {
    const row = await findChildFolder(transaction, id, name)
    if (row === undefined || row.removed_ms !== null) throw notFound({ kind: 'folder', levels })
    id = row.id
  }
  return id
}

/** A log that is there. Fails with object.not_found. */
export async function requireLog(
  transaction: Transaction<Tables>,
  levels: readonly string[],
): Promise<LogRow> {
  const place = { kind: 'log', levels } as const
  let id = ROOT_FOLDER_ID
  for (const name of levels.slice(0, -1)) {
    const row = await findChildFolder(transaction, id, name)
    if (row === undefined || row.removed_ms !== null) throw notFound(place)
    id = row.id
  }
  const log = await findChildLog(transaction, id, levels.at(-1) ?? '')
  if (log === undefined || log.removed_ms !== null) throw notFound(place)
  return log
}

export function nameOf({ levels }: NodePlace): string {
  return levels.join(LEVEL_SEPARATOR)
}

function notFound(place: NodePlace): Failure {
  return new Failure('object.not_found', { kind: place.kind, name: nameOf(place) })
}
