// What a database that was put back does not do at once: it knows nothing of what was decided after
// its backup.
import { join } from 'node:path'
import Libsql from 'libsql'
import { toDatabaseFailure } from './database-failure.ts'
import { DATABASE_FILE } from './database-file.ts'

/** A time to come: limits of storage count from the first run of retention that meets it. */
const LATER_MS = Date.UTC(9999, 0, 1)

/** Limits of storage and archives begin anew with the first run of retention, so that nothing goes
 *  at once by what was so when the backup was made. Removals of archives that had not begun are
 *  taken back: a legal hold of after the backup may have done so. Flushed. Fails with
 *  database.*. */
export function beginAnew(directory: string): void {
  try {
    const database = new Libsql(join(directory, DATABASE_FILE), { timeout: 5000 })
    try {
      const named = database.prepare('select name from sqlite_master where name = ?')
      // An older version has fewer tables.
      const has = (table: string) => named.all(table).length > 0
      if (has('policy_retentions'))
        database.exec(`update policy_retentions set since_ms = ${LATER_MS}`)
      if (has('archives'))
        database.exec(
          "update archives set state = 'done' where state = 'removing' and tried_ms is null and dropped_ms is not null",
        )
      database.exec('pragma wal_checkpoint(truncate)')
    } finally {
      database.close()
    }
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}
