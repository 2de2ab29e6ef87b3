// Chooses the database by its URL: none is the embedded SQLite file, postgres:// a PostgreSQL
// server.
import { Failure } from '../../schemas/failures.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { MIGRATIONS } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import type { Database } from './port.ts'
import { isPostgresUrl } from './postgres/address.ts'
import type { Tables } from './tables.ts'

export type DatabaseOptions = {
  /** Absent: the embedded file. */
  readonly url?: string | undefined
  readonly dataDir: string
  /** Dates rows. Waits for other processes are of real time. */
  readonly clock?: Clock
  /** Told of what the server does not promise. */
  readonly logger?: Logger
}

/**
 * Opens and migrates. Fails with database.unavailable (no access, another process holds it for 5
 * s), database.damaged, database.newer, database.unsupported_url, and on PostgreSQL
 * database.bad_url, database.refused, database.unreachable.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return await openDatabaseOf<Tables>(options, MIGRATIONS)
}

/** As above, with the tables of another lane: never in the same file or schema. */
export async function openDatabaseOf<Of>(
  options: DatabaseOptions,
  migrations: readonly Migration[],
): Promise<Database<Of>> {
  const { url, dataDir, clock = systemClock, logger } = options
  if (url === undefined) {
    const { openSqlite } = await import('./sqlite.ts')
    return await openSqlite(dataDir, clock, migrations)
  }
  if (!isPostgresUrl(url)) throw new Failure('database.unsupported_url')
  // The client is loaded only where a server is used.
  const { openPostgres } = await import('./postgres/open.ts')
  return await openPostgres({ url, clock, logger, migrations })
}
