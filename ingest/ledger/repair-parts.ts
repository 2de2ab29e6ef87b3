// Puts parts right that the engine has set aside, when one small file is all that is wrong with them: the checksums, which the engine makes
// anew, or a file whose content is known otherwise. Whether it was all is proved: every column is read, and the rows are as many as the
// counters miss. What cannot be put right stays in `detached/`, and is damage. Embedded store only: the files are on this machine.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Logger } from '../../infra/logger.ts'
import type { Store } from '../../infra/store/port.ts'
import { type BrokenPart, findFault, type PartFault } from './part-fault.ts'
import { type UnitReader, unitKey } from './unit-sums.ts'

/** Counters first: they tell how many events are missing. Rows that are there twice do no harm in `gone` and `idempotency`. */
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

/** Before a writer begins, or beside it. Gives how many were put right. */
export async function repairParts(deps: RepairDeps): Promise<number> {
  let repaired = 0
  for (const table of TABLES)
    for (const path of await listSetAside(deps.store, table))
      if (await repairPart(deps, table, path)) repaired += 1
  return repaired
}

async function listSetAside(store: RepairDeps['store'], table: Table): Promise<string[]> {
  const rows = await store.query<{ path: string }>({
    sql: `SELECT path FROM system.detached_parts WHERE database = currentDatabase() AND table = {table: String}
      AND startsWith(name, 'broken') ORDER BY name`,
    params: { table },
  })
  return rows.map(({ path }) => path)
}

async function repairPart(deps: RepairDeps, table: Table, path: string): Promise<boolean> {
  const { store, logger } = deps
  const [, name, partitionId, first, last] = PART_NAME.exec(basename(path)) ?? []
  if (name === undefined || partitionId === undefined) return false
  const active = await listActive(store, table, partitionId)
  // What it was merged of, or into, is there.
  if (active.some((it) => it.last >= Number(first) && it.first <= Number(last))) return false
  const missing = table === 'events' ? await missingRows(deps, partitionId) : undefined
  if (missing !== undefined && missing <= 0) return false
  /** What is attached now stays only if it is whole. */
  const judge = async (file: string) => {
    const known = new Set(active.map((it) => it.name))
    const added = (await listActive(store, table, partitionId)).filter((it) => !known.has(it.name))
    const fields = { table, part: name, file }
    if (await isWhole(deps, table, added, missing)) {
      logger.warn('a part of the store was repaired', fields)
      deps.onRepaired(table)
      return true
    }
    for (const { name: part } of added)
      await store.command({ sql: `ALTER TABLE ${table} DETACH PART '${part}'` })
    logger.warn('a part of the store could not be repaired', fields)
    return false
  }
  const part: BrokenPart = {
    directory: path,
    partitionId,
    columns: await columnsFile(store, table),
    rows: missing,
    explain: () => explain(store, table, path, name),
  }
  const fault = await findFault(part)
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
    const rows = parts.reduce((sum, part) => sum + part.rows, 0)
    return missing === undefined || (rows > 0 && rows <= missing)
  } catch {
    return false
  }
}

type ActivePart = {
  readonly name: string
  readonly first: number
  readonly last: number
  readonly rows: number
}

async function listActive(
  store: RepairDeps['store'],
  table: Table,
  partitionId: string,
): Promise<ActivePart[]> {
  const rows = await store.query<{ name: string; first: string; last: string; rows: string }>({
    sql: `SELECT name, toInt64(min_block_number) AS first, toInt64(max_block_number) AS last, toUInt64(rows) AS rows FROM system.parts
      WHERE database = currentDatabase() AND table = {table: String} AND active AND partition_id = {partition: String}`,
    params: { table, partition: partitionId },
  })
  return rows.map((row) => ({
    name: row.name,
    first: Number(row.first),
    last: Number(row.last),
    rows: Number(row.rows),
  }))
}

/** Of the unit that the partition `<policy>-<yyyymmdd>` is. */
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
