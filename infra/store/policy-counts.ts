// Brings counters of data format 1, which have no policy, to format 2: a table of the new form is
// filled from the old one and takes its place. May run again after a kill at any point; what is
// left of a run before is thrown away. No writer may run meanwhile.
import { Failure } from '../../schemas/failures.ts'
import {
  localName,
  onCluster,
  type StoreCluster,
  systemTable,
} from '../../schemas/store/cluster.ts'
import { createTable } from '../../schemas/store/create-table.ts'
import { TABLES } from '../../schemas/store/tables.ts'
import type { Store } from './port.ts'
import { ANY_SERVERS } from './server-settings.ts'

/** The policy of every log that there is. */
export type ReadPolicies = () => Promise<ReadonlyMap<number, number>>

/** Events of a log that the database does not know count for the collection policy `Default`. */
const DEFAULT_POLICY_ID = 1
const DRAFT = 'counts_of_policies'
const TIMEOUT_MS = 3_600_000
const SUMS = 'sum(events) AS events, sum(bytes) AS bytes, max(upto) AS upto'

/** Before the tables are made. */
export async function addPolicyToCounts(store: Store, readPolicies: ReadPolicies): Promise<void> {
  const { cluster } = store
  const counts = localName('counts', cluster)
  const draft = localName(DRAFT, cluster)
  const forms = await readForms(store, [counts, draft])
  const run = async (sql: string, params?: Readonly<Record<string, unknown>>) =>
    await store.command({
      sql,
      ...(params === undefined ? {} : { params }),
      timeoutMs: TIMEOUT_MS,
      settings: { max_partitions_per_insert_block: 0 },
    })
  const drop = async (name: string) =>
    await run(`DROP TABLE IF EXISTS ${qualified(name, cluster)}${onCluster(cluster)} SYNC`)
  if (forms.get(counts) === 'old') {
    await drop(draft)
    if (cluster !== undefined) await drop(DRAFT)
    for (const sql of createTable({ ...TABLES.counts, name: DRAFT }, cluster)) await run(sql)
    await fill(store, await readPolicies(), run)
    await run(
      `EXCHANGE TABLES ${qualified(counts, cluster)} AND ${qualified(draft, cluster)}${onCluster(cluster)}`,
    )
    await drop(draft)
  } else if (forms.has(draft)) await drop(draft)
  // The one over the servers keeps the columns that it was made with: it is made again with the
  // others.
  if (cluster !== undefined && (forms.get(counts) === 'old' || forms.has(draft))) {
    await drop(DRAFT)
    await drop('counts')
  }
}

async function fill(
  store: Store,
  policies: ReadonlyMap<number, number>,
  run: (sql: string, params?: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const others = [...policies].filter(([, policy]) => policy !== DEFAULT_POLICY_ID)
  const policySql =
    others.length === 0
      ? `toUInt16(${DEFAULT_POLICY_ID})`
      : `transform(log_id, {logs: Array(UInt32)}, {policies: Array(UInt16)}, toUInt16(${DEFAULT_POLICY_ID}))`
  const params =
    others.length === 0
      ? undefined
      : { logs: others.map(([log]) => log), policies: others.map(([, policy]) => policy) }
  const columns = 'quarter, event_quarter, log_id, host, source, partition, events, bytes, upto'
  await run(
    `INSERT INTO ${DRAFT} (policy, ${columns}) SELECT ${policySql}, ${columns} FROM counts`,
    params,
  )
  const [before, after] = await Promise.all(['counts', DRAFT].map((name) => readSums(store, name)))
  // The old one stays in its place.
  if (before === undefined || before !== after) throw new Failure('store.failed')
}

/** By partition of the event log, since the greatest number of each decides what a writer
 *  counts. */
async function readSums(store: Store, table: string): Promise<string> {
  const sql = `SELECT partition, ${SUMS} FROM ${table} GROUP BY partition ORDER BY partition`
  return JSON.stringify(await store.query({ sql, timeoutMs: TIMEOUT_MS }))
}

type Form = 'old' | 'new'

/** The form of each table that exists; old if it is old on any server. */
async function readForms(
  store: Store,
  names: readonly string[],
): Promise<ReadonlyMap<string, Form>> {
  const { cluster } = store
  const rows = await store.query<{ table: string; old: number | string }>({
    sql: `SELECT table, max(old) AS old FROM (
      SELECT table, countIf(name = 'policy') = 0 AS old FROM ${systemTable('columns', cluster)}
      WHERE database = ${cluster === undefined ? 'currentDatabase()' : '{database:String}'} AND table IN {names:Array(String)}
      GROUP BY hostName() AS host, table) GROUP BY table`,
    params: { names, ...(cluster === undefined ? {} : { database: cluster.database }) },
    ...(cluster === undefined ? {} : { settings: ANY_SERVERS }),
  })
  return new Map(rows.map(({ table, old }) => [table, Number(old) === 1 ? 'old' : 'new']))
}

function qualified(name: string, cluster: StoreCluster | undefined): string {
  return cluster === undefined ? name : `\`${cluster.database}\`.${name}`
}
