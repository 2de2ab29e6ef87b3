// A scan task lies in the folder that it writes to: where the caller may not view that, there is no
// task for him (decision 4.9).
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { requireTaskOf, type Task } from '../../../infra/metastore/tasks/tasks.ts'
import { findChildFolder } from '../../../infra/metastore/tree/find-node.ts'
import { ROOT_FOLDER_ID } from '../../../infra/metastore/tree/tree-cache.ts'
import { Failure } from '../../../schemas/failures.ts'
import { TASK_KINDS } from '../../../schemas/task.ts'
import type { ObjectViewer } from '../objects/object-kind.ts'

/** Of a folder that is not there, the nearest one above is asked about. */
export async function isFolderSeen(
  transaction: DatabaseTransaction,
  levels: readonly string[],
  { folders }: Pick<ObjectViewer, 'folders'>,
): Promise<boolean> {
  if (folders === 'all') return true
  let id = ROOT_FOLDER_ID
  for (const name of levels) {
    const row = await findChildFolder(transaction, id, name)
    if (row === undefined || row.removed_ms !== null) break
    id = row.id
  }
  return id === ROOT_FOLDER_ID || folders.has(id)
}

/** A query task lies where its log lies. Fails with object.not_found. */
export async function requireSeenQueryTask(
  transaction: DatabaseTransaction,
  name: string,
  viewer: ObjectViewer,
  kind: string = TASK_KINDS.query,
): Promise<Task<'query'>> {
  const task = await requireTaskOf(transaction, 'query', name)
  if (await isFolderSeen(transaction, task.settings.log.slice(0, -1), viewer)) return task
  throw new Failure('object.not_found', { kind, name })
}

/** `kind`: what the caller has asked for. Fails with object.not_found. */
export async function requireSeenScanTask(
  transaction: DatabaseTransaction,
  name: string,
  viewer: ObjectViewer,
  kind: string = TASK_KINDS.scan,
): Promise<Task<'scan'>> {
  const task = await requireTaskOf(transaction, 'scan', name)
  if (await isFolderSeen(transaction, task.settings.parentFolder, viewer)) return task
  throw new Failure('object.not_found', { kind, name })
}
