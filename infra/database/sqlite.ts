// The embedded database: the SQLite file <dataDir>/logeye.db. Several processes have it open at
// once (front, work, command line): WAL lets readers go on beside the one writer, synchronous=FULL
// makes each commit durable.
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { toDatabaseFailure } from './database-failure.ts'
import { DATABASE_FILE } from './database-file.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import type { Database } from './port.ts'
import { SqliteDriver, type SqliteDriverOptions } from './sqlite-driver.ts'
import { emptyLog, makeLogBound } from './sqlite-log.ts'

/** Pages of the log after which a commit moves it into the file; kept small, since each process
 *  maps it. */
const CHECKPOINT_PAGES = 1000
const COMMON_PRAGMAS = ['foreign_keys = ON', 'temp_store = MEMORY', 'trusted_schema = OFF']
/** What is removed or replaced leaves no bytes in the file. */
const SECURE_DELETE = 'secure_delete = ON'

export async function openSqlite<Of>(
  dataDir: string,
  clock: Clock,
  migrations: readonly Migration[],
): Promise<Database<Of>> {
  const path = makeFile(dataDir)
  const write = openKysely<Of>({
    path,
    begin: 'immediate',
    pragmas: [
      'journal_mode = WAL',
      'synchronous = FULL',
      `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
      SECURE_DELETE,
      ...COMMON_PRAGMAS,
    ],
  })
  const read = openKysely<Of>({
    path,
    begin: 'deferred',
    pragmas: ['query_only = ON', ...COMMON_PRAGMAS],
  })
  const boundLog = makeLogBound(dataDir, clock)
  const database: Database<Of> = {
    read,
    snapshot: (work) => named(read.transaction().execute(work)),
    write: async (work) => {
      const done = await named(write.transaction().execute(work))
      await boundLog(write)
      return done
    },
    close: async () => {
      await read.destroy()
      await emptyLog(write)
      await write.destroy()
    },
  }
  try {
    await migrate(database, clock, migrations)
    // Kysely connects with the first query: later the file might be away, and an empty one would
    // take its place.
    await sql`select 1`.execute(read)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** The file holds password hashes: readable by its owner only; SQLite gives its log the same mode.
 *  One that is there is not opened: to close it would take the locks of all connections that this
 *  process has to it, also of those that wait for the garbage collector. */
function makeFile(dataDir: string): string {
  const path = join(dataDir, DATABASE_FILE)
  try {
    mkdirSync(dataDir, { recursive: true })
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new Failure('database.unavailable', {}, error)
  }
  return path
}

function openKysely<Of>(options: SqliteDriverOptions): Kysely<Of> {
  return new Kysely<Of>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(options),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // A failure of the work itself passes; only the driver's own errors are renamed.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_'))
      throw toDatabaseFailure(error)
    throw error
  }
}
