// The database on a PostgreSQL server that several machines share. Reads take any of a few
// connections; writes of one process wait for their one connection here, so that they do not hold
// several at the server while they wait for each other.
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { type Clock, systemClock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { retry } from '../../retry.ts'
import { isMigrated, migrate } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Database } from '../port.ts'
import { parsePostgresAddress } from './address.ts'
import { checkServer, toStartFailure } from './check-server.ts'
import { BEGIN, PostgresDriver, WRITERS_TABLE } from './driver.ts'
import { isUndone } from './failure.ts'
import { openPool } from './pool.ts'

/** How long a write is tried anew when it met another one, or its server was restarted. */
const WRITE_WITHIN_MS = 5000
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 500
/** A server that says it is starting is waited for. */
const STARTING_LIMIT_MS = 60_000
/** An arbitrary number: the process that makes the table of writers holds this lock of the
 *  server. */
const BOOTSTRAP_LOCK = 5_640_115

type Options = {
  readonly url: string
  readonly clock: Clock
  readonly logger?: Logger | undefined
  readonly migrations: readonly Migration[]
}

/** Fails with database.bad_url, database.refused, database.unreachable, database.newer. */
export async function openPostgres<Of>({
  url,
  clock,
  logger,
  migrations,
}: Options): Promise<Database<Of>> {
  const address = parsePostgresAddress(url)
  const write = openKysely<Of>(new PostgresDriver(openPool(address, 'write', 1), BEGIN.write))
  const readers = openPool(address, 'read', address.connections - 1)
  const read = openKysely<Of>(new PostgresDriver(readers, BEGIN.read))
  const repeated = {
    // Other processes work in real time, whatever clock the rows are dated by.
    clock: systemClock,
    limitMs: WRITE_WITHIN_MS,
    firstDelayMs: FIRST_PAUSE_MS,
    maxDelayMs: LONGEST_PAUSE_MS,
    isRetriable: isUndone,
  }
  const database: Database<Of> = {
    read,
    snapshot: (work) => read.transaction().execute(work),
    write: (work) => retry(() => write.transaction().execute(work), repeated),
    close: async () => {
      await Promise.all([read.destroy(), write.destroy()])
    },
  }
  const prepare = async () => {
    await checkServer(read, address, logger)
    await makeWritersTable(write)
    if (!(await isMigrated(read, migrations))) await migrate(database, clock, migrations)
  }
  try {
    await retry(prepare, {
      clock: systemClock,
      limitMs: STARTING_LIMIT_MS,
      isRetriable: isStarting,
    })
  } catch (error) {
    await database.close()
    throw toStartFailure(error, address)
  }
  return database
}

function openKysely<Of>(driver: PostgresDriver): Kysely<Of> {
  return new Kysely<Of>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** Before the first write there is nothing to lock but the server's own lock. */
async function makeWritersTable<Of>(db: Kysely<Of>): Promise<void> {
  const found = sql<{
    is_there: boolean
  }>`select to_regclass(${WRITERS_TABLE}) is not null as is_there`
  if ((await found.execute(db)).rows[0]?.is_there === true) return
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(BOOTSTRAP_LOCK)})`.execute(connection)
    try {
      await connection.schema.createTable(WRITERS_TABLE).ifNotExists().execute()
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(BOOTSTRAP_LOCK)})`.execute(connection)
    }
  })
}

function isStarting(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === '57P03'
  )
}
