// The metastore of one process: what answers from memory, kept at most 1 s behind the database
// (decision 2.6) by looking at the version rows four times a second. With the database away, what
// memory holds goes on.
import { type Clock, systemClock } from '../clock.ts'
import type { Database } from '../database/port.ts'
import type { Logger } from '../logger.ts'
import type { Access } from './access/port.ts'
import type { Audit } from './audit/port.ts'
import type { Metastore } from './port.ts'
import type { Rights } from './rights/port.ts'
import { seed } from './seed.ts'
import { SqlMetastore } from './sql-metastore.ts'

/** Reads everything once; fails with database.unavailable when that cannot be done. Does not close
 *  the database. */
export async function openMetastore(options: {
  database: Database
  clock?: Clock
  logger: Logger
}): Promise<OpenedMetastore> {
  const clock = options.clock ?? systemClock
  await seed(options.database, clock)
  const metastore = new SqlMetastore({ ...options, clock })
  await metastore.start()
  return metastore
}

export type OpenedMetastore = Metastore &
  Rights &
  Access &
  Audit & {
    readonly database: Database
    /** Brings memory up to the database as of this call. Fails with database.unavailable. */
    refresh(): Promise<void>
  }
