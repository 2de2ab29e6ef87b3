// The database of a backup that is being put back.
import { join } from 'node:path'
import Libsql from 'libsql'
import { toDatabaseFailure } from './database-failure.ts'
import { DATABASE_FILE } from './database-file.ts'

/** Limits of storage are in force as if they were given now, so that nothing goes at once by what
 *  was so when the backup was made. Flushed. Fails with database.*. */
export function beginRetentionAnew(directory: string, nowMs: number): void {
  try {
    const database = new Libsql(join(directory, DATABASE_FILE), { timeout: 5000 })
    try {
      const named = database.prepare("select 1 from sqlite_master where name = 'policy_retentions'")
      // An older version had none.
      if (named.all().length > 0)
        database.exec(`update policy_retentions set since_ms = ${Math.trunc(nowMs)}`)
      database.exec('pragma wal_checkpoint(truncate)')
    } finally {
      database.close()
    }
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}
