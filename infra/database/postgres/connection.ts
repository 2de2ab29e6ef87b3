// One connection of the pool as Kysely's driver sees it. Every error becomes a failure; a
// connection that is of no more use says so at once to what still comes, and is not given back to
// the pool.
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { PoolClient } from 'pg'
import { Failure } from '../../../schemas/failures.ts'
import { endsConnection, type Moment, toPostgresFailure } from './failure.ts'

export class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient
  #broken: Failure | undefined

  constructor(client: PoolClient) {
    this.#client = client
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = query.parameters.map(toPostgresValue)
    const { rows, rowCount } = await this.#run(() => this.#client.query(query.sql, parameters))
    return { rows: rows ?? [], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  /** Statements without parameters, in one message. */
  async run(statements: string): Promise<void> {
    await this.#run(() => this.#client.query(statements))
  }

  async commit(): Promise<void> {
    const { command } = await this.#run(() => this.#client.query('commit'), 'commit')
    // After a failed statement the server answers a commit with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Failure('database.failed')
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Failure('database.failed')
  }

  /** Nobody waits for an answer in it. */
  breakOff(failure: Failure): void {
    this.#broken ??= failure
  }

  release(): void {
    this.#client.release(this.#broken !== undefined)
  }

  async #run<R>(send: () => Promise<R>, moment: Moment = 'statement'): Promise<R> {
    if (this.#broken !== undefined) throw this.#broken
    try {
      return await send()
    } catch (error) {
      const failure = toPostgresFailure(error, moment)
      if (endsConnection(error)) this.breakOff(failure)
      throw failure
    }
  }
}

/** A text of PostgreSQL cannot hold NUL. Flags are numbers in both engines. */
function toPostgresValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined || value === null) return null
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array)
    return value
  throw new Failure('database.failed')
}
