// One libsql connection as Kysely's driver sees it: prepared statements are cached, result codes become failures.
// libsql is synchronous: a statement holds the event loop, so its own busy wait is short and longer waits are slept outside.
import { statSync } from 'node:fs'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import Libsql from 'libsql'
import { Failure } from '../../schemas/failures.ts'
import { toDatabaseFailure } from './database-failure.ts'

const BUSY_WAIT_MS = 20
const MAX_CACHED_STATEMENTS = 300

type Statement = Pick<Libsql.Statement, 'reader' | 'all' | 'run'>

/** Connections to a file that is no longer at its path: closing one would delete the log of the file that took its place. */
const abandoned: unknown[] = []

export class SqliteConnection implements DatabaseConnection {
  readonly #path: string
  readonly #libsql: Libsql.Database
  readonly #fileId: string
  readonly #statements = new Map<string, Statement>()

  constructor(path: string) {
    this.#path = path
    try {
      this.#libsql = new Libsql(path, { timeout: BUSY_WAIT_MS })
      this.#fileId = fileId(path)
    } catch (error) {
      throw new Failure('database.unavailable', {}, error)
    }
  }

  /** Raw statement; throws the driver's own error. */
  exec(statement: string): void {
    this.#libsql.exec(statement)
  }

  pragma(text: string): void {
    this.#libsql.pragma(text)
  }

  get isInTransaction(): boolean {
    return this.#libsql.inTransaction
  }

  /** Without this check writes would go on into a file that was moved away, and be lost with it. */
  checkFile(): void {
    if (fileId(this.#path) !== this.#fileId) throw new Failure('database.unavailable')
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return Promise.resolve(this.#execute<R>(query))
    } catch (error) {
      // A statement that failed half-way may keep a lock as long as it lives.
      this.#statements.delete(query.sql)
      return Promise.reject(toDatabaseFailure(error))
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

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(query.sql)
    const parameters = query.parameters.map(toSqliteValue)
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    const result = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(result.changes) }
  }

  #prepare(sql: string): Statement {
    const cached = this.#statements.get(sql)
    if (cached !== undefined) return cached
    const statement = this.#libsql.prepare(sql)
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
      const oldest = this.#statements.keys().next().value
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
  }
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
