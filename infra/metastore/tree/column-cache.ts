// Column names of logs in memory: a log's are read when first asked for, later only what is newer
// than memory. One task at a time, so that "newer than memory" has one meaning.
import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/port.ts'
import type { ColumnRow, Tables } from '../../database/tables.ts'
import { raiseVersion, readVersions } from '../counters.ts'
import type { ColumnRecord, NewColumn } from './port.ts'

const LOGS_A_STATEMENT = 500
const ROWS_A_STATEMENT = 200
/** Above this many names in memory all are forgotten and read anew as needed. */
const MAX_RECORDS = 2_000_000
const MAX_KEY_CHARACTERS = 200

const kindSchema = z.enum(['text', 'number', 'bool', 'id'])

export class ColumnCache {
  readonly #database: Database
  #version = 0
  #records = 0
  #byLog = new Map<number, readonly ColumnRecord[]>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
  }

  get version(): number {
    return this.#version
  }

  columns(logIds: Iterable<number>): Promise<ReadonlyMap<number, readonly ColumnRecord[]>> {
    const wanted = new Set(logIds)
    return this.#oneByOne(() => this.#read(wanted))
  }

  /** Known triples are passed over without a write transaction. */
  async add(columns: readonly NewColumn[]): Promise<void> {
    const known = await this.columns(columns.map((column) => column.logId))
    const missing = new Map<string, NewColumn>()
    for (const column of columns) {
      const isKnown = known
        .get(column.logId)
        ?.some((one) => one.name === column.name && one.kind === column.kind)
      if (isKnown !== true)
        missing.set(JSON.stringify([column.logId, column.kind, column.name]), column)
    }
    if (missing.size === 0) return
    await this.#database.write((transaction) => insertColumns(transaction, [...missing.values()]))
  }

  async #read(wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, readonly ColumnRecord[]>> {
    await this.#readNewer()
    if (this.#records > MAX_RECORDS) this.#forget()
    const missing = [...wanted].filter((id) => !this.#byLog.has(id))
    for (let from = 0; from < missing.length; from += LOGS_A_STATEMENT) {
      const ids = missing.slice(from, from + LOGS_A_STATEMENT)
      for (const id of ids) this.#byLog.set(id, [])
      this.#append(await readOfLogs(this.#database.read, ids, this.#version))
    }
    return new Map([...wanted].map((id) => [id, this.#byLog.get(id) ?? []]))
  }

  async #readNewer(): Promise<void> {
    const version = (await readVersions(this.#database.read)).columns
    if (version <= this.#version) return
    const rows =
      this.#byLog.size === 0 ? [] : await readNewer(this.#database.read, this.#version, version)
    this.#append(rows.filter((row) => this.#byLog.has(row.log_id)))
    this.#version = version
  }

  #append(rows: readonly ColumnRow[]): void {
    const added = new Map<number, ColumnRecord[]>()
    for (const row of rows) {
      const list = added.get(row.log_id) ?? []
      list.push(columnFromRow(row))
      added.set(row.log_id, list)
    }
    // New arrays: somebody may be reading the old ones.
    for (const [id, list] of added) this.#byLog.set(id, [...(this.#byLog.get(id) ?? []), ...list])
    this.#records += rows.length
  }

  #forget(): void {
    this.#byLog = new Map()
    this.#records = 0
  }

  #oneByOne<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task, task)
    this.#last = done.catch(() => this.#forget())
    return done
  }
}

async function insertColumns(
  transaction: Transaction<Tables>,
  columns: readonly NewColumn[],
): Promise<void> {
  const last = await raiseVersion(transaction, 'columns', columns.length)
  const rows = columns.map((column, index) => ({
    seq: last - columns.length + 1 + index,
    log_id: column.logId,
    name_key: nameKey(column.name),
    name: JSON.stringify(column.name),
    kind: column.kind,
  }))
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    await transaction
      .insertInto('columns')
      .values(rows.slice(from, from + ROWS_A_STATEMENT))
      .onConflict((conflict) => conflict.columns(['log_id', 'name_key', 'kind']).doNothing())
      .execute()
}

function readOfLogs(
  db: Kysely<Tables>,
  logIds: readonly number[],
  upTo: number,
): Promise<ColumnRow[]> {
  return db
    .selectFrom('columns')
    .selectAll()
    .where('log_id', 'in', logIds)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .execute()
}

function readNewer(db: Kysely<Tables>, above: number, upTo: number): Promise<ColumnRow[]> {
  return db
    .selectFrom('columns')
    .selectAll()
    .where('seq', '>', above)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .execute()
}

/** Names are kept as JSON text: libsql 0.5.29 cuts a text at NUL, and a lone surrogate has no
 *  UTF-8. */
function columnFromRow(row: ColumnRow): ColumnRecord {
  return {
    logId: row.log_id,
    name: z.string().parse(JSON.parse(row.name)),
    kind: kindSchema.parse(row.kind),
    position: Number(row.seq),
  }
}

function nameKey(name: string): string {
  const text = JSON.stringify(name)
  return text.length <= MAX_KEY_CHARACTERS
    ? text
    : `sha256:${createHash('sha256').update(text).digest('hex')}`
}
