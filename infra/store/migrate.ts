// Brings the store's tables up to date: changes of older forms first, then what is missing;
// numbered steps, each recorded when done. A step looks at what is there, so it may run again:
// after a crash between a step and its record, when a table is gone, or on a cluster when a server
// has none since it was added later.
import { Failure } from '../../schemas/failures.ts'
import { localName, type StoreCluster, systemTable } from '../../schemas/store/cluster.ts'
import { createTable, type TableShape } from '../../schemas/store/create-table.ts'
import { TABLES } from '../../schemas/store/tables.ts'
import { prepareCompaction } from './compaction.ts'
import { addPolicyToCounts, type ReadPolicies } from './policy-counts.ts'
import type { Store } from './port.ts'
import { ANY_SERVERS } from './server-settings.ts'

type Step = {
  readonly number: number
  run(store: Store, readPolicies: ReadPolicies): Promise<void>
}

/** What brings tables of an older form to that of `TABLES`, before any table is made. One that an
 *  older program could not read raised the data format (infra/supervisor/data-format.ts). A step is
 *  never changed after a release. */
const CHANGES: readonly Step[] = [
  { number: 5, run: addPolicyToCounts },
  { number: 8, run: prepareCompaction },
]

const CREATIONS: readonly Step[] = [
  { number: 1, run: createAs(TABLES.events) },
  { number: 2, run: createAs(TABLES.counts) },
  { number: 3, run: createAs(TABLES.idempotency) },
  { number: 4, run: createAs(TABLES.results) },
  { number: 6, run: createAs(TABLES.gone) },
  { number: 7, run: createAs(TABLES.archived) },
]

function createAs(table: TableShape): Step['run'] {
  return async (store) => {
    for (const sql of createTable(table, store.cluster)) await store.command({ sql })
  }
}

/** Every statement of a migration from nothing, in its order. */
export function migrationStatements(cluster: StoreCluster | undefined): string[] {
  const { migrations, ...tables } = TABLES
  return [migrations, ...Object.values(tables)].flatMap((table) => createTable(table, cluster))
}

/** Fails with store.unavailable while the store does not answer, or a server of its cluster has not
 *  made its tables; may be called again. `readPolicies`: asked when there are counters of data
 *  format 1. */
export async function migrateStore(
  store: Store,
  readPolicies: ReadPolicies = () => Promise.resolve(new Map()),
): Promise<void> {
  await createAs(TABLES.migrations)(store, readPolicies)
  const rows = await store.query<{ number: number }>({
    sql: 'SELECT DISTINCT number FROM migrations',
  })
  const done = new Set((await hasTables(store)) ? rows.map((row) => row.number) : [])
  for (const { number, run } of [...CHANGES, ...CREATIONS]) {
    if (done.has(number)) continue
    await run(store, readPolicies)
    await store.command({ sql: `INSERT INTO migrations VALUES (${number})` })
  }
  if (!(await hasTables(store))) throw new Failure('store.unavailable')
}

/** Each server of a cluster that answers. */
async function hasTables(store: Store): Promise<boolean> {
  const { cluster } = store
  const names = Object.values(TABLES).flatMap((table) =>
    cluster === undefined || table.copies === 'everywhere'
      ? [table.name]
      : [table.name, localName(table.name, cluster)],
  )
  const database = cluster === undefined ? 'currentDatabase()' : '{database:String}'
  const servers =
    cluster === undefined ? '1' : `(SELECT count() FROM ${systemTable('one', cluster)})`
  const [row] = await store.query<{ found: string; servers: string }>({
    sql: `SELECT (SELECT count() FROM ${systemTable('tables', cluster)} WHERE database = ${database} AND name IN {names:Array(String)}) AS found, ${servers} AS servers`,
    params: { names, ...(cluster === undefined ? {} : { database: cluster.database }) },
    ...(cluster === undefined ? {} : { settings: ANY_SERVERS }),
  })
  const { found = 0, servers: count = 0 } = row ?? {}
  return Number(count) > 0 && Number(found) === Number(count) * names.length
}
