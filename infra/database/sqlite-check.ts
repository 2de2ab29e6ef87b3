// Whether the embedded database is sound, asked of SQLite itself. No check finds a flipped bit
// inside a value.
import { join } from 'node:path'
import Libsql from 'libsql'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { toDatabaseFailure } from './database-failure.ts'
import { DATABASE_FILE } from './database-file.ts'

/** quick: structure of pages and tables. integrity: indexes too, and takes several times as
 *  long. */
export type CheckKind = 'quick' | 'integrity'

/** True when it is sound. Changes nothing. Fails with database.unavailable. */
export function isSqliteSound(dataDir: string, kind: CheckKind): boolean {
  try {
    const libsql = new Libsql(join(dataDir, DATABASE_FILE), { timeout: 5000 })
    try {
      const row: unknown = libsql.prepare(`pragma ${kind}_check(1)`).get([])
      return typeof row === 'object' && row !== null && Object.values(row)[0] === 'ok'
    } finally {
      libsql.close()
    }
  } catch (error) {
    const failure = toDatabaseFailure(error)
    if (isFailure(failure) && failure.code === 'database.damaged') return false
    throw failure
  }
}

/** Before each start: a damaged page that only a writer meets would let events be acknowledged that
 *  nobody can store. 0.1 s for 100 MB. Fails with start.refused. */
export function checkSound(dataDir: string): void {
  if (!isSqliteSound(dataDir, 'quick')) throw damaged(dataDir)
}

/** What to do, in one line. */
export function damaged(dataDir: string): Failure {
  const path = join(dataDir, DATABASE_FILE)
  const reason = `the database ${path} is damaged: bring back a copy of it together with its logeye.db-wal (events in store and event log stay as they are), or, if there is none, move both away and run 'logeye adopt-data'`
  return new Failure('start.refused', { reason })
}
