// A copy of the embedded database as of one moment, while processes write to it.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import LibsqlInThread from 'libsql/promise'
import { toDatabaseFailure } from './database-failure.ts'
import { DATABASE_FILE } from './database-file.ts'

/** `to` is not there yet. What only running processes need is not in it. Not flushed. Fails with
 *  database.*. */
export async function copySqlite(
  dataDir: string,
  to: string,
  options: {
    readonly replaysSinceMs: number
    /** From before the store's part was taken; no event was stored since. */
    readonly storeSinceMs: number
  },
): Promise<void> {
  await vacuumInto(dataDir, to)
  try {
    cutDown(to, options)
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}

/** The database of the directory as of one moment. `to` is not there yet. Not flushed. Fails with
 *  database.*. */
export async function vacuumInto(directory: string, to: string): Promise<void> {
  try {
    const source = new LibsqlInThread(join(directory, DATABASE_FILE), { timeout: 5000 })
    try {
      await source.exec(`vacuum into '${to.replaceAll("'", "''")}'`)
    } finally {
      source.close()
    }
    chmodSync(to, 0o600)
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}

/** Their rows in the store are not kept, and leases are of processes. A replay, or a copy of audit
 *  entries, that has ended just now may have been taken in after the end of the copy of the event
 *  log: it is done again, and dropped where it is there. Likewise a deletion, or the removal of a
 *  day, that has ended just now: the store's part may still have what they took, which would come
 *  back with it. */
function cutDown(
  path: string,
  { replaysSinceMs, storeSinceMs }: Parameters<typeof copySqlite>[2],
): void {
  const copy = new Libsql(path, { timeout: 5000 })
  try {
    for (const table of [
      'leases',
      'listening_nodes',
      'search_results',
      'search_result_files',
      'search_cancels',
    ])
      copy.exec(`delete from ${table}`)
    copy.exec(
      `update replayed_events set is_done = 0 where is_done = 1 and begun_ms >= ${Math.trunc(replaysSinceMs)}`,
    )
    copy.exec(
      `update audit_copies set is_done = 0 where is_done = 1 and begun_ms >= ${Math.trunc(replaysSinceMs)}`,
    )
    const since = Math.trunc(storeSinceMs)
    copy.exec(
      `update deletions set state = 'entered', ended_ms = null where state = 'removed' or (state = 'done' and ended_ms >= ${since})`,
    )
    copy.exec(
      `update unit_removals set state = 'open', ended_ms = null where state = 'done' and ended_ms >= ${since}`,
    )
    copy.exec("delete from backups where state in ('asked', 'running')")
  } finally {
    copy.close()
  }
}
