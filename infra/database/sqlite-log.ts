// The log of the embedded database (logeye.db-wal): what is in it is durable, but lost with it. It
// is emptied when a process closes the database, and bounded while it runs, so that a copy of
// logeye.db alone is whole after a stop.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type QueryExecutorProvider, sql } from 'kysely'
import Libsql from 'libsql'
import type { Clock } from '../clock.ts'
import { DATABASE_FILE } from './database-file.ts'

/** Commits move it into the file at 4 MiB, but a reader that is at it then lets it grow. */
const MAX_BYTES = 16 * 1024 * 1024
const LOOK_EVERY_MS = 5000

const EMPTY = sql`pragma wal_checkpoint(TRUNCATE)`

export function logBytes(dataDir: string): number {
  const path = join(dataDir, `${DATABASE_FILE}-wal`)
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** To be called after writes; does something when it is due. Never fails: the next one tries
 *  again. */
export function makeLogBound(
  dataDir: string,
  clock: Pick<Clock, 'elapsedMs'>,
): (db: QueryExecutorProvider) => Promise<void> {
  let lookedMs = clock.elapsedMs()
  return async (db) => {
    if (clock.elapsedMs() - lookedMs < LOOK_EVERY_MS) return
    lookedMs = clock.elapsedMs()
    if (logBytes(dataDir) > MAX_BYTES) await emptyLog(db)
  }
}

/** Of an open database. Where another process reads or writes at this moment it stays for that one
 *  to empty. */
export async function emptyLog(db: QueryExecutorProvider): Promise<void> {
  await EMPTY.execute(db).catch(() => undefined)
}

/** When no process of the product has it open any more, however the processes ended. */
export function emptyClosedLog(dataDir: string): void {
  const path = join(dataDir, DATABASE_FILE)
  // A log without its database would be thrown away.
  const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (!isThere || logBytes(dataDir) === 0) return
  try {
    const libsql = new Libsql(path, { timeout: 1000 })
    libsql.prepare('pragma wal_checkpoint(TRUNCATE)').get([])
    libsql.close()
  } catch {
    // It is whole with its log; the next start looks at both.
  }
}
