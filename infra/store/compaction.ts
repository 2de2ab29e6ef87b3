// Compaction of closed days: the engine's own merges write them again with a stronger codec
// (RECOMPRESS, docs/decisions/0109), when they are let. Nothing of it needs to be remembered: each
// part knows its codec, and a merge that is cut off leaves the parts of before.
import { localName, onCluster, systemTable } from '../../schemas/store/cluster.ts'
import {
  COMPACT_AFTER_DAYS,
  COMPACT_CODEC,
  COMPACTING_SETTING,
  COMPACTION,
} from '../../schemas/store/tables.ts'
import type { Store } from './port.ts'

const TIMEOUT_MS = 60_000
const DAY_MS = 86_400_000

/** A table of events from before there was compaction gets what it needs. No part is written
 *  again. May run again after a kill at any point. */
export async function prepareCompaction(store: Store): Promise<void> {
  const [table] = await readTables(store)
  if (table === undefined || table.includes('RECOMPRESS')) return
  await alter(store, COMPACTION.columns.map((column) => `MODIFY COLUMN ${column}`).join(', '))
  await alter(store, `MODIFY SETTING ${COMPACTION.settings}`)
  // The last: it says that all of it is there.
  await alter(store, `MODIFY TTL ${COMPACTION.ttl}`, { materialize_ttl_after_modify: 0 })
}

const LETS_COMPACT = new RegExp(`\\b${COMPACTING_SETTING} = 1(?!\\d)`)
const LETS_NOT_COMPACT = new RegExp(`\\b${COMPACTING_SETTING} = 0(?!\\d)`)

/** Lets the engine's merges compact, one after the other, or lets none begin. Lasts over a restart
 *  of the store. */
export async function letCompact(store: Store, isOn: boolean): Promise<void> {
  const wanted = `${COMPACTING_SETTING} = ${isOn ? 1 : 0}`
  const set = isOn ? LETS_COMPACT : LETS_NOT_COMPACT
  const tables = await readTables(store)
  if (tables.every((table) => set.test(table))) return
  await alter(store, `MODIFY SETTING ${wanted}`)
}

/** Parts from before there was compaction do not know when they are to be compacted: of one unit at
 *  a time they are told, which goes on by itself. */
export async function tellOldParts(store: Store, signal: AbortSignal): Promise<void> {
  const { cluster } = store
  const { database, params } = ofEvents(store)
  const rows = await store.query<{ partition: string }>({
    sql: `SELECT DISTINCT partition FROM ${systemTable('parts', cluster)}
      WHERE database = ${database} AND table = {table: String} AND active AND rows > 0
      AND empty(\`recompression_ttl_info.expression\`) AND NOT (SELECT count() > 0 FROM ${systemTable('mutations', cluster)}
        WHERE database = ${database} AND table = {table: String} AND NOT is_done)
      ORDER BY partition LIMIT 1`,
    params,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  const [policy, date] = (rows[0]?.partition ?? '').replace(/[()]/g, '').split(',').map(Number)
  if (policy === undefined || date === undefined) return
  await alter(store, `MATERIALIZE TTL IN PARTITION (${policy}, ${date})`, { mutations_sync: 0 })
}

/** Condition on a row of `system.parts`: of a day that is compacted. */
export const IS_COMPACT = `default_compression_codec = '${COMPACT_CODEC}'`

/** Whether a day (from 1970, UTC) is old enough. */
export function isDue(day: number, nowMs: number): boolean {
  return nowMs >= (day + COMPACT_AFTER_DAYS) * DAY_MS
}

/** How tables of the system name the table of the events. */
function ofEvents({ cluster }: Store) {
  const table = localName('events', cluster)
  return cluster === undefined
    ? { database: 'currentDatabase()', params: { table } }
    : { database: '{database: String}', params: { table, database: cluster.database } }
}

/** As each server has it. */
async function readTables(store: Store): Promise<readonly string[]> {
  const { database, params } = ofEvents(store)
  const rows = await store.query<{ engine_full: string }>({
    sql: `SELECT engine_full FROM ${systemTable('tables', store.cluster)}
      WHERE database = ${database} AND name = {table: String}`,
    params,
    timeoutMs: TIMEOUT_MS,
  })
  return rows.map((row) => row.engine_full)
}

async function alter(
  store: Store,
  change: string,
  settings?: Readonly<Record<string, number>>,
): Promise<void> {
  const { cluster } = store
  const table = localName('events', cluster)
  const name = cluster === undefined ? table : `\`${cluster.database}\`.${table}`
  await store.command({
    sql: `ALTER TABLE ${name}${onCluster(cluster)} ${change}`,
    ...(settings === undefined ? {} : { settings }),
    timeoutMs: TIMEOUT_MS,
  })
}
