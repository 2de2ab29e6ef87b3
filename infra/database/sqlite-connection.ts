// One libsql connection as Kysely's driver sees it: prepared statements are cached, result codes
// become failures. The writing connection commits in a thread of libsql, so that a slow disk stops
// no listener, and so does it write what is long. All else is done in place: a cached statement
// costs less than the way to a thread and back. Busy waits are short: longer ones are slept
// outside.
import { statSync } from 'node:fs'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import Libsql from 'libsql'
import LibsqlInThread from 'libsql/promise'
import { Failure } from '../../schemas/failures.ts'
import { toDatabaseFailure } from './database-failure.ts'

const BUSY_WAIT_MS = 20
const MAX_CACHED_STATEMENTS = 300
/** A parameter of so many characters is many rows as JSON, which take milliseconds. */
const LONG_PARAMETER = 10_000
const CHANGES = { sql: 'select changes() as changes', parameters: [] }

type Statement = {
  /** Looked up in libsql at each use. */
  readonly reader: boolean
  all(parameters: readonly unknown[]): unknown[] | Promise<unknown[]>
  run(parameters: readonly unknown[]): { readonly changes: number }
}

type Cached = { readonly statement: Statement; readonly isReader: boolean }

/** What both shapes of libsql have; one answers at once, the other with promises. */
type Engine = {
  readonly inTransaction: boolean
  prepare(sql: string): Statement | Promise<Statement>
  exec(sql: string): unknown
  close(): void
}

/** Connections to a file that is no longer at its path: closing one would delete the log of the
 *  file that took its place. */
const abandoned: unknown[] = []

export class SqliteConnection implements DatabaseConnection {
  readonly #path: string
  readonly #libsql: Engine
  readonly #fileId: string
  /** Kept also for its own sake: the garbage collector finalizes a statement in place, and waits
   *  for a running commit. */
  readonly #statements = new Map<string, Cached>()
  readonly #hasThread: boolean

  constructor(path: string, options: { readonly isCommitInThread: boolean }) {
    this.#path = path
    this.#hasThread = options.isCommitInThread
    try {
      const open = { timeout: BUSY_WAIT_MS }
      const opened: unknown = options.isCommitInThread
        ? new LibsqlInThread(path, open)
        : new Libsql(path, open)
      this.#libsql = opened as Engine
      this.#fileId = fileId(path)
    } catch (error) {
      throw new Failure('database.unavailable', {}, error)
    }
  }

  /** Raw statement; throws the driver's own error. */
  async exec(statement: string): Promise<void> {
    await this.#libsql.exec(statement)
  }

  async pragma(text: string): Promise<void> {
    const { statement } = await this.#prepare(`pragma ${text}`)
    await statement.all([])
  }

  get isInTransaction(): boolean {
    return this.#libsql.inTransaction
  }

  /** Without this check writes would go on into a file that was moved away, and be lost with it. */
  checkFile(): void {
    if (fileId(this.#path) !== this.#fileId) throw new Failure('database.unavailable')
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.#execute<R>(query)
    } catch (error) {
      // A statement that failed half-way may keep a lock as long as it lives.
      this.#statements.delete(query.sql)
      throw toDatabaseFailure(error)
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Failure('database.failed')
  }

  close(): void {
    this.#statements.clear()
    try {
      this.checkFile()
    } catch {
      abandoned.push(this.#libsql)
      return
    }
    this.#libsql.close()
  }

  async #execute<R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<R>> {
    const { statement, isReader } = await this.#prepare(query.sql)
    const parameters = query.parameters.map(toSqliteValue)
    if (isReader) return { rows: (await statement.all(parameters)) as R[] }
    if (this.#hasThread && parameters.some(isLong)) {
      // `run` is done in place, `all` in the thread.
      await statement.all(parameters)
      return { rows: [], numAffectedRows: await this.#changes() }
    }
    const result = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(result.changes) }
  }

  async #changes(): Promise<bigint> {
    const { rows } = await this.#execute<{ changes: number }>(CHANGES)
    return BigInt(rows[0]?.changes ?? 0)
  }

  async #prepare(sql: string): Promise<Cached> {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = await this.#libsql.prepare(sql)
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
      const oldest = this.#statements.keys().next().value
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    const cached = { statement, isReader: statement.reader }
    this.#statements.set(sql, cached)
    return cached
  }
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length >= LONG_PARAMETER
}

/** libsql 0.5.29 aborts the whole process on a boolean (`not yet implemented: bool`). */
function toSqliteValue(value: unknown): string | number | bigint | Uint8Array | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (value instanceof Uint8Array) return value
  throw new Failure('database.failed')
}

function fileId(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts === undefined ? 'none' : `${facts.dev}-${facts.ino}`
}
