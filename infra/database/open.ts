// Chooses the database by its URL: none is the embedded SQLite file, postgres:// a PostgreSQL
// server.
import { Failure } from '../../schemas/failures.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Database } from './port.ts'
import { isPostgresUrl } from './postgres/address.ts'

export type DatabaseOptions = {
  /** Absent: the embedded file. */
  readonly url?: string | undefined
  readonly dataDir: string
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
  const { url, dataDir, clock = systemClock, logger } = options
  if (url === undefined) {
    const { openSqlite } = await import('./sqlite.ts')
    return await openSqlite(dataDir, clock)
  }
  if (!isPostgresUrl(url)) throw new Failure('database.unsupported_url')
  // The client is loaded only where a server is used.
  const { openPostgres } = await import('./postgres/open.ts')
  return await openPostgres({ url, clock, logger })
}
