// Brings the store's tables up to date: numbered steps, each idempotent, each recorded when done. On a cluster a server that lacks tables,
// since it was added later, has all steps done again.
// A step is never changed after a release; a crash between a step and its record runs the step again.
import { Failure } from '../../schemas/failures.ts'
import { localName, type StoreCluster } from '../../schemas/store/cluster.ts'
import { createTable } from '../../schemas/store/create-table.ts'
import { TABLES } from '../../schemas/store/tables.ts'
import type { Store } from './port.ts'
import { ANY_SERVERS } from './server-settings.ts'

type Step = {
  readonly number: number
  readonly sql: (cluster: StoreCluster | undefined) => string[]
}

const STEPS: readonly Step[] = [
  { number: 1, sql: (cluster) => createTable(TABLES.events, cluster) },
  { number: 2, sql: (cluster) => createTable(TABLES.counts, cluster) },
  { number: 3, sql: (cluster) => createTable(TABLES.idempotency, cluster) },
  { number: 4, sql: (cluster) => createTable(TABLES.results, cluster) },
]

/** Every statement of a migration from nothing, in its order. */
export function migrationStatements(cluster: StoreCluster | undefined): string[] {
  const first = createTable(TABLES.migrations, cluster)
  return [...first, ...STEPS.flatMap(({ sql }) => sql(cluster))]
}

/** Fails with store.unavailable while the store does not answer, or a server of its cluster has not made its tables; may be called again. */
export async function migrateStore(store: Store): Promise<void> {
  const { cluster } = store
  const run = async (statements: readonly string[]) => {
    for (const sql of statements) await store.command({ sql })
  }
  await run(createTable(TABLES.migrations, cluster))
  const rows = await store.query<{ number: number }>({
    sql: 'SELECT DISTINCT number FROM migrations',
  })
  const done = new Set((await everyServerHasTables(store)) ? rows.map((row) => row.number) : [])
  for (const { number, sql } of STEPS) {
    if (done.has(number)) continue
    await run(sql(cluster))
    await store.command({ sql: `INSERT INTO migrations VALUES (${number})` })
  }
  if (!(await everyServerHasTables(store))) throw new Failure('store.unavailable')
}

/** Of those that answer. */
async function everyServerHasTables(store: Store): Promise<boolean> {
  const { cluster } = store
  if (cluster === undefined) return true
  const { migrations, ...tables } = TABLES
  const names = Object.values(tables).flatMap(({ name }) => [name, localName(name, cluster)])
  const [row] = await store.query<{ found: string; servers: string }>({
    sql: `SELECT (SELECT count() FROM clusterAllReplicas('${cluster.name}', system.tables) WHERE database = {database:String} AND name IN {names:Array(String)}) AS found,
      (SELECT count() FROM clusterAllReplicas('${cluster.name}', system.one)) AS servers`,
    params: { database: cluster.database, names: [migrations.name, ...names] },
    settings: ANY_SERVERS,
  })
  const { found = 0, servers = 0 } = row ?? {}
  return Number(servers) > 0 && Number(found) === Number(servers) * (names.length + 1)
}
