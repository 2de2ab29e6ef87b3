// Repairs parts that the engine has set aside because of one small file: the checksums, which the
// engine makes anew, or a file whose content is known from elsewhere. A repair counts only when
// every column can be read and the part has as many rows as the counters miss. A part that cannot
// be repaired stays in `detached/`, and is damage. Embedded store only: the files are on this
// machine.
import { existsSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Store } from '../../infra/store/port.ts'
import { type ActivePart, listActive } from './active-parts.ts'
import { type BrokenPart, findFault } from './part-fault.ts'
import { PartTries } from './part-tries.ts'
import { type UnitReader, unitKey } from './unit-sums.ts'

/** Counters first: they tell how many events are missing. Rows that are there twice do no harm in
 *  `gone` and `idempotency`. */
const TABLES = ['counts', 'gone', 'idempotency', 'events'] as const
type Table = (typeof TABLES)[number]

const TIMEOUT_MS = 600_000
const PART_NAME =
  /^(?:broken-on-start_|broken_)?((\d[\d-]*|all)_(\d+)_(\d+)_\d+(?:_\d+)?)(?:_try\d+)?$/

type RepairDeps = {
  readonly store: Pick<Store, 'query' | 'command'>
  readonly reader: UnitReader
  readonly logger: Logger
  /** No try begins after it. */
  readonly signal: AbortSignal
  /** Whether counters may be as many as they are now: no more than was ever committed. */
  readonly mayCount: () => Promise<boolean>
  readonly onRepaired: (table: string) => void
}

/** A part that was just attached must not go into another before it is judged. */
const MERGE_LIMITS = [
  'max_bytes_to_merge_at_max_space_in_pool',
  'max_bytes_to_merge_at_min_space_in_pool',
] as const

/** Before a writer begins. Gives how many were put right. */
export async function repairParts(deps: RepairDeps): Promise<number> {
  let repaired = 0
  for (const table of TABLES) {
    if (deps.signal.aborted) break
    const tries = await triesOf(deps.store, table)
    // One that was killed in the middle has left it so. What it attached must not be merged.
    await tries.bringBack()
    await allowMerges(deps.store, table)
    const setAside = await listSetAside(deps.store, table)
    if (setAside.length === 0) continue
    const limits = MERGE_LIMITS.map((name) => `${name} = 1`).join(', ')
    await deps.store.command({ sql: `ALTER TABLE ${table} MODIFY SETTING ${limits}` })
    try {
      for (const part of setAside) {
        if (deps.signal.aborted) break
        if (await repairOrLog(deps, table, tries, part)) repaired += 1
      }
    } finally {
      await tries.bringBack()
      await allowMerges(deps.store, table)
    }
  }
  return repaired
}

/** The failure of one part does not end the repair of others. */
async function repairOrLog(
  deps: RepairDeps,
  table: Table,
  tries: PartTries,
  part: SetAside,
): Promise<boolean> {
  try {
    return await repairPart(deps, table, tries, part)
  } catch (error) {
    const fields = { table, part: part.name, ...describeError(error) }
    deps.logger.warn('the repair of a part of the store failed', fields)
    // Tried again after the last part.
    await tries.bringBack().catch(() => undefined)
    return false
  }
}

async function triesOf(store: RepairDeps['store'], table: Table): Promise<PartTries> {
  const [row] = await store.query<{ path: string }>({
    sql: 'SELECT data_paths[1] AS path FROM system.tables WHERE database = currentDatabase() AND name = {table: String}',
    params: { table },
  })
  if (!row?.path) throw new Error(`the table ${table} has no folder`)
  return new PartTries(store, table, row.path)
}

async function allowMerges(store: RepairDeps['store'], table: Table): Promise<void> {
  const [row] = await store.query<{ engine: string }>({
    sql: 'SELECT engine_full AS engine FROM system.tables WHERE database = currentDatabase() AND name = {table: String}',
    params: { table },
  })
  if (!MERGE_LIMITS.some((name) => row?.engine.includes(name))) return
  await store.command({ sql: `ALTER TABLE ${table} RESET SETTING ${MERGE_LIMITS.join(', ')}` })
}

type SetAside = {
  readonly path: string
  readonly name: string
  readonly partitionId: string
  readonly first: number
  readonly last: number
}

/** What was merged of others before these. */
async function listSetAside(store: RepairDeps['store'], table: Table): Promise<SetAside[]> {
  const rows = await store.query<{ path: string }>({
    sql: `SELECT path FROM system.detached_parts WHERE database = currentDatabase() AND table = {table: String}
      AND startsWith(name, 'broken') ORDER BY name`,
    params: { table },
  })
  const parts = rows.flatMap(({ path }): SetAside[] => {
    const [, name, partitionId, first, last] = PART_NAME.exec(basename(path)) ?? []
    if (name === undefined || partitionId === undefined) return []
    return [{ path, name, partitionId, first: Number(first), last: Number(last) }]
  })
  return parts.sort((one, other) => other.last - other.first - (one.last - one.first))
}

/** Whether the ranges of block numbers, which parts get as they are inserted, overlap. */
function overlap(one: BlockRange, other: BlockRange): boolean {
  return one.last >= other.first && one.first <= other.last
}

type BlockRange = { readonly first: number; readonly last: number }

async function repairPart(
  deps: RepairDeps,
  table: Table,
  tries: PartTries,
  part: SetAside,
): Promise<boolean> {
  const { store, logger } = deps
  const { path, name, partitionId } = part
  // Set aside from repair by one that holds the same.
  if (!existsSync(path)) return false
  const active = await listActive(store, table, partitionId)
  // What it was merged of, or into, is there.
  if (active.some((it) => overlap(it, part))) return false
  const missing = table === 'events' ? await missingRows(deps, partitionId) : undefined
  if (missing !== undefined && missing <= 0) return false
  const directory = statSync(path).ino
  /** What is attached now stays only if it is whole. */
  const judge = async (file: string) => {
    // By its directory: others may come and go meanwhile.
    const now = await listActive(store, table, partitionId)
    const added = now.filter((it) => inodeOf(it.path) === directory)
    const fields = { table, part: name, file }
    if (await isWhole(deps, table, added, missing)) {
      // It has a new number now, by which they would be seen as strangers.
      for (const other of await listSetAside(store, table))
        if (other.partitionId === partitionId && overlap(other, part)) ignore(other.path)
      tries.settle(path)
      logger.warn('a part of the store was repaired', fields)
      deps.onRepaired(table)
      return true
    }
    for (const it of added)
      await store.command({ sql: `ALTER TABLE ${table} DETACH PART '${it.name}'` })
    tries.settle(path)
    logger.warn('a part of the store could not be repaired', fields)
    return false
  }
  const broken: BrokenPart = {
    directory: path,
    partitionId,
    columns: await columnsFile(store, table),
    rows: missing,
    explain: () => explain(tries, part),
  }
  const fault = await findFault(broken)
  if (fault === undefined && !existsSync(path)) return await judge('nothing')
  if (fault === undefined || deps.signal.aborted) return false
  if ((await tries.attach(part, fault)) !== undefined) return false
  return await judge(fault.file)
}

/** Kept, under a name that is not tried again. */
function ignore(path: string): void {
  const kept = join(dirname(path), `ignored_${basename(path)}`)
  if (!existsSync(kept)) renameSync(path, kept)
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

/** What the engine says when the part is attached as it is; '' when it takes it. */
async function explain(tries: PartTries, part: SetAside): Promise<string> {
  const error = await tries.attach(part)
  if (error === undefined) return ''
  return error.cause instanceof Error ? error.cause.message : 'unknown'
}

async function isWhole(
  { store, mayCount }: RepairDeps,
  table: Table,
  parts: readonly ActivePart[],
  missing: number | undefined,
): Promise<boolean> {
  if (parts.length === 0) return false
  try {
    for (const { name } of parts) {
      const [check] = await store.query<{ is_passed: number }>({
        sql: `CHECK TABLE ${table} PART '${name}'`,
        timeoutMs: TIMEOUT_MS,
      })
      if (check?.is_passed !== 1) return false
      await store.query({
        sql: `SELECT sum(ignore(*)) FROM ${table} WHERE _part = {part: String}`,
        params: { part: name },
        timeoutMs: TIMEOUT_MS,
      })
    }
    if (table === 'counts') return await mayCount()
    if (missing === undefined) return true
    const rows = parts.reduce((sum, part) => sum + part.rows, 0)
    if (rows === 0 || rows > missing) return false
    for (const { name } of parts) if (await isThereTwice(store, name)) return false
    return true
  } catch {
    return false
  }
}

/** Whether another part holds events of the same places: a writer may have brought them anew, or a
 *  part of other numbers. */
async function isThereTwice(store: RepairDeps['store'], part: string): Promise<boolean> {
  const spans = (condition: string) =>
    `SELECT partition, events.offset AS at, min(index) AS low, max(index) AS high FROM events
      WHERE ${condition} GROUP BY partition, at`
  const [row] = await store.query<{ found: string }>({
    sql: `SELECT count() AS found FROM (${spans('_part = {part: String}')}) AS mine
      INNER JOIN (${spans(`_part != {part: String} AND _partition_id = splitByChar('_', {part: String})[1]
        AND (partition, events.offset) IN (SELECT partition, events.offset FROM events WHERE _part = {part: String})`)}) AS other
      ON mine.partition = other.partition AND mine.at = other.at
      WHERE mine.low <= other.high AND other.low <= mine.high`,
    params: { part },
    timeoutMs: TIMEOUT_MS,
  })
  return Number(row?.found ?? 1) > 0
}

/** Rows that the unit of the partition `<policy>-<yyyymmdd>` lacks. */
async function missingRows({ reader }: RepairDeps, partitionId: string): Promise<number> {
  const [policyId = 0, date = 0] = partitionId.split('-').map(Number)
  const time = Date.UTC(Math.floor(date / 1e4), (Math.floor(date / 100) % 100) - 1, date % 100)
  const key = unitKey({ policyId, day: time / 86_400_000 })
  const { units } = await reader.received()
  const gone = (await reader.gone()).filter((one) => unitKey(one) === key)
  const held = await reader.held()
  const accepted = gone.reduce((sum, { events }) => sum + events, 0)
  return (units.get(key) ?? 0) - accepted - (held.get(key) ?? 0)
}

/** All parts of a table have the same one. */
async function columnsFile(store: RepairDeps['store'], table: Table): Promise<string> {
  const columns = await store.query<{ name: string; type: string }>({
    sql: "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table: String} AND default_kind NOT IN ('ALIAS', 'EPHEMERAL') ORDER BY position",
    params: { table },
  })
  const lines = columns.map(({ name, type }) => `\`${name}\` ${type}\n`)
  return `columns format version: 1\n${columns.length} columns:\n${lines.join('')}`
}
