// What a log sync task has copied: written by the collector alone.
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'

export type SyncedFile = {
  /** In the repository. */
  readonly place: string
  readonly size: number
  /** Of the file, by its own machine. */
  readonly changedMs: number
  readonly algorithm: string
  /** Hexadecimal. */
  readonly checksum: string
  readonly checkedMs: number
}

type Deps = { readonly database: Database; readonly held: Fence }

/** By place. */
export async function readSyncedFiles(
  db: Pick<Database['read'], 'selectFrom'>,
  taskId: number,
): Promise<Map<string, SyncedFile>> {
  const all = db.selectFrom('synced_files').selectAll().where('task_id', '=', taskId)
  const files = (await all.execute()).map((row) => ({
    ...{ place: row.place, size: Number(row.size), changedMs: Number(row.changed_ms) },
    ...{ algorithm: row.algorithm, checksum: row.checksum, checkedMs: Number(row.checked_ms) },
  }))
  return new Map(files.map((file) => [file.place, file]))
}

/** Fails with database.lease_lost. */
export async function saveSyncedFile(
  { database, held }: Deps,
  taskId: number,
  file: SyncedFile,
): Promise<void> {
  const { place, size, changedMs, algorithm, checksum, checkedMs } = file
  const changed = { size, changed_ms: changedMs, algorithm, checksum, checked_ms: checkedMs }
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .insertInto('synced_files')
      .values({ task_id: taskId, place, ...changed })
      .onConflict((conflict) => conflict.columns(['task_id', 'place']).doUpdateSet(changed))
      .execute()
  })
}

/** Fails with database.lease_lost. */
export async function forgetSyncedFile(
  { database, held }: Deps,
  taskId: number,
  place: string,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .deleteFrom('synced_files')
      .where('task_id', '=', taskId)
      .where('place', '=', place)
      .execute()
  })
}
