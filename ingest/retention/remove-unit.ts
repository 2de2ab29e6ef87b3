// Takes one unit out of the store so that received = held + gone holds before and after, whatever
// ends this process in between (docs/decisions/0084):
//   1. the removal is open in the database: the writer waits with events of the unit
//   2. every batch that was on its way is committed, so nothing of the unit is in doubt
//   3. the entries are in `gone`, in one insert
//   4. the unit's partition of the table is dropped
//   5. the removal is done
// Taken up again it asks `gone` whether 3 has happened.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import type { UnitRemoval } from '../../infra/metastore/retention/unit-removals.ts'
import type { Store } from '../../infra/store/port.ts'
import { Failure } from '../../schemas/failures.ts'
import { localName, onCluster } from '../../schemas/store/cluster.ts'
import { GONE_COLUMNS } from '../../schemas/store/tables.ts'
import type { UnitPlace } from '../ledger/unit-sums.ts'
import { waitForBatches } from '../ledger/wait-for-batches.ts'

const TIMEOUT_MS = 120_000
const DAY_SECONDS = 86_400
/** Ids are ours: nothing else stands in a statement. */
const ENTRY = /^retention-\d{1,15}-[0-9a-f]{1,32}$/
/** More than logs of a unit: one insert is one block, there whole or not at all. */
const ONE_BLOCK_ROWS = 1_000_000

export type RemoveUnitDeps = {
  readonly store: Pick<Store, 'query' | 'command' | 'cluster' | 'kill' | 'catchUp'>
  readonly eventLog: Pick<EventLog, 'partitions' | 'position'>
  readonly clock: Pick<Clock, 'nowMs' | 'elapsedMs' | 'sleep'>
  readonly signal: AbortSignal
  /** SQL, true for events that a legal hold keeps; '' for none. */
  readonly heldSql?: string
  /** Asked when no more events of the unit come and nothing has gone yet. */
  readonly isArchived?: () => Promise<boolean>
}

export type RemovedSum = { readonly events: number; readonly bytes: number }

/** 'postponed': nothing was done, since a batch on its way was not committed in time; 'held': a
 *  legal hold keeps events of it; 'unarchived': `isArchived` says no. */
export async function removeUnit(
  deps: RemoveUnitDeps,
  removal: UnitRemoval,
): Promise<RemovedSum | 'postponed' | 'held' | 'unarchived'> {
  const { store } = deps
  const { entry } = removal
  if (!ENTRY.test(entry)) throw new Error('the name of a removal was not made here')
  // Of a process that was thought dead.
  await store.kill(queryIdOf(entry, 'gone'))
  await store.kill(queryIdOf(entry, 'drop'))
  await store.catchUp('gone')
  let sum = await readEntry(deps, entry)
  if (sum === undefined) {
    if (!(await waitForBatches(deps))) return 'postponed'
    if (await isHeld(deps, removal)) return 'held'
    if ((await deps.isArchived?.()) === false) return 'unarchived'
    sum = await writeEntry(deps, removal)
  }
  await drop(deps, removal)
  return sum
}

async function readEntry(deps: RemoveUnitDeps, entry: string): Promise<RemovedSum | undefined> {
  const [row] = await ask<{ rows: string; events: string; bytes: string }>(
    deps,
    'SELECT count() AS rows, sum(events) AS events, sum(bytes) AS bytes FROM gone FINAL WHERE entry = {entry: String}',
    { entry },
  )
  if (row === undefined || Number(row.rows) === 0) return undefined
  return { events: Number(row.events), bytes: Number(row.bytes) }
}

async function isHeld(deps: RemoveUnitDeps, unit: UnitPlace): Promise<boolean> {
  const { heldSql = '' } = deps
  if (heldSql === '') return false
  const sql = `SELECT 1 AS found FROM events WHERE ${OF_UNIT} AND (${heldSql}) LIMIT 1`
  return (await ask(deps, sql, unitParams(unit))).length > 0
}

/** SQL over `events`; takes unitParams. */
export const OF_UNIT = `policy = {policy: UInt16} AND received >= toDateTime64({from: Int64}, 3, 'UTC') AND received < toDateTime64({to: Int64}, 3, 'UTC')`

type LogSum = { log_id: number; events: string; bytes: string }

/** By log, what is held and not in `gone` already: rows that came back after an older removal (a
 *  store that was put back, a power cut) have their entry. */
async function writeEntry(deps: RemoveUnitDeps, removal: UnitRemoval): Promise<RemovedSum> {
  const { store, clock, signal } = deps
  const { policyId, day, entry } = removal
  await store.catchUp('events')
  await store.catchUp('counts')
  const params = unitParams(removal)
  const held = await ask<LogSum>(
    deps,
    `SELECT log_id, count() AS events, sum(toUInt64(size)) AS bytes FROM events WHERE ${OF_UNIT} GROUP BY log_id ORDER BY log_id`,
    params,
  )
  const received = byLog(
    await ask<LogSum>(
      deps,
      `SELECT log_id, sum(counts.events) AS events, 0 AS bytes FROM counts
      WHERE policy = {policy: UInt16} AND quarter >= toDateTime({from: Int64}, 'UTC') AND quarter < toDateTime({to: Int64}, 'UTC') GROUP BY log_id`,
      params,
    ),
  )
  const gone = byLog(
    await ask<LogSum>(
      deps,
      'SELECT log_id, sum(gone.events) AS events, 0 AS bytes FROM gone FINAL WHERE policy = {policy: UInt16} AND day = {day: UInt32} GROUP BY log_id',
      params,
    ),
  )
  const sum = { events: 0, bytes: 0 }
  const values: string[] = []
  const atMs = Math.trunc(clock.nowMs())
  for (const row of held) {
    const rows = Number(row.events)
    const returned = Math.max(0, rows + gone(row.log_id) - received(row.log_id))
    const events = Math.max(0, rows - returned)
    if (events === 0) continue
    const bytes = Math.round((Number(row.bytes) * events) / rows)
    sum.events += events
    sum.bytes += bytes
    const numbers = [policyId, day, row.log_id, 0].map(Number).join(', ')
    const at = `fromUnixTimestamp64Milli(${atMs})`
    values.push(`(${numbers}, '${entry}', 'retention', ${events}, ${bytes}, ${at})`)
  }
  if (values.length === 0) return sum
  const columns = GONE_COLUMNS.map(({ name }) => name).join(', ')
  await store.command({
    sql: `INSERT INTO gone (${columns}) VALUES ${values.join(', ')}`,
    settings: { max_insert_block_size: ONE_BLOCK_ROWS },
    queryId: queryIdOf(entry, 'gone'),
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return sum
}

/** Searches that read the unit now go on with its files. */
async function drop(deps: RemoveUnitDeps, removal: UnitRemoval): Promise<void> {
  const { store, signal } = deps
  const { cluster } = store
  const { policyId, day, entry } = removal
  const date = Number(
    new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10).replaceAll('-', ''),
  )
  await store.command({
    sql: `ALTER TABLE ${localName('events', cluster)}${onCluster(cluster)} DROP PARTITION (${Number(policyId)}, ${date})`,
    queryId: queryIdOf(entry, 'drop'),
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  await store.catchUp('events')
  const sql = `SELECT 1 AS found FROM events WHERE ${OF_UNIT} LIMIT 1`
  if ((await ask(deps, sql, unitParams(removal))).length > 0)
    throw new Failure('store.failed', {}, new Error('a dropped unit is still there'))
}

function byLog(rows: readonly LogSum[]): (logId: number) => number {
  const events = new Map(rows.map((row) => [row.log_id, Number(row.events)]))
  return (logId) => events.get(logId) ?? 0
}

async function ask<Row>(
  { store, signal }: RemoveUnitDeps,
  sql: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  return await store.query<Row>({ sql, params, timeoutMs: TIMEOUT_MS, signal })
}

export function unitParams({ policyId, day }: UnitPlace): Readonly<Record<string, unknown>> {
  return { policy: policyId, day, from: day * DAY_SECONDS, to: (day + 1) * DAY_SECONDS }
}

function queryIdOf(entry: string, step: 'gone' | 'drop'): string {
  return `logeye-${entry}-${step}`
}
