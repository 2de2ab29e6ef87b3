// Repairs parts that the engine has set aside because of one small file: the checksums, which the
// engine makes anew, or a file whose content is known from elsewhere. A repair counts only when
// every column can be read and the part has as many rows as the counters miss. A part that cannot
// be repaired stays in `detached/`, and is damage. Embedded store only: the files are on this
// machine.
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Logger } from '../../infra/logger.ts'
import type { Store } from '../../infra/store/port.ts'
import { type BrokenPart, findFault, type PartFault } from './part-fault.ts'
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
    // One that was killed in the middle has left it so.
    await allowMerges(deps.store, table)
    const setAside = await listSetAside(deps.store, table)
    if (setAside.length === 0) continue
    const limits = MERGE_LIMITS.map((name) => `${name} = 1`).join(', ')
    await deps.store.command({ sql: `ALTER TABLE ${table} MODIFY SETTING ${limits}` })
    try {
      for (const part of setAside) if (await repairPart(deps, table, part)) repaired += 1
    } finally {
      await allowMerges(deps.store, table)
    }
  }
  return repaired
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

async function repairPart(deps: RepairDeps, table: Table, part: SetAside): Promise<boolean> {
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
      logger.warn('a part of the store was repaired', fields)
      deps.onRepaired(table)
      return true
    }
    for (const it of added)
      await store.command({ sql: `ALTER TABLE ${table} DETACH PART '${it.name}'` })
    logger.warn('a part of the store could not be repaired', fields)
    return false
  }
  const broken: BrokenPart = {
    directory: path,
    partitionId,
    columns: await columnsFile(store, table),
    rows: missing,
    explain: () => explain(store, table, path, name),
  }
  const fault = await findFault(broken)
  if (fault === undefined && !existsSync(path)) return await judge('nothing')
  if (fault === undefined) return false
  const undo = mend(path, fault)
  const attached = join(dirname(path), name)
  renameSync(path, attached)
  try {
    await store.command({
      sql: `ALTER TABLE ${table} ATTACH PART '${name}'`,
      timeoutMs: TIMEOUT_MS,
    })
  } catch {
    renameSync(attached, path)
    undo()
    return false
  }
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

/** Its file in its new form; gives what brings the old one back. */
function mend(directory: string, { file, content }: PartFault): () => void {
  const path = join(directory, file)
  const before = readdirSync(directory).includes(file) ? readFileSync(path) : undefined
  rmSync(path, { force: true })
  if (content !== undefined) writeFileSync(path, content, { mode: 0o640, flush: true })
  return () => {
    rmSync(path, { force: true })
    if (before !== undefined) writeFileSync(path, before, { mode: 0o640, flush: true })
  }
}

/** What the engine says when the part is attached as it is; '' when it takes it. */
async function explain(
  store: RepairDeps['store'],
  table: Table,
  path: string,
  name: string,
): Promise<string> {
  const tried = join(dirname(path), name)
  renameSync(path, tried)
  try {
    await store.command({
      sql: `ALTER TABLE ${table} ATTACH PART '${name}'`,
      timeoutMs: TIMEOUT_MS,
    })
    return ''
  } catch (error) {
    renameSync(tried, path)
    const cause = error instanceof Error ? error.cause : undefined
    return cause instanceof Error ? cause.message : 'unknown'
  }
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

type ActivePart = {
  readonly name: string
  readonly path: string
  readonly first: number
  readonly last: number
  readonly rows: number
}

async function listActive(
  store: RepairDeps['store'],
  table: Table,
  partitionId: string,
): Promise<ActivePart[]> {
  const rows = await store.query<{
    name: string
    path: string
    first: string
    last: string
    rows: string
  }>({
    sql: `SELECT name, path, toInt64(min_block_number) AS first, toInt64(max_block_number) AS last, toUInt64(rows) AS rows FROM system.parts
      WHERE database = currentDatabase() AND table = {table: String} AND active AND partition_id = {partition: String}`,
    params: { table, partition: partitionId },
  })
  return rows.map((row) => ({
    name: row.name,
    path: row.path,
    first: Number(row.first),
    last: Number(row.last),
    rows: Number(row.rows),
  }))
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
