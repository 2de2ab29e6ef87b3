// Kysely's driver over a pool of PostgreSQL connections. Writers are serial as on SQLite: a writing
// transaction takes one lock before its snapshot, so it sees all that was committed before and
// meets nobody. SERIALIZABLE is the belt for what does not take the lock.
import type { DatabaseConnection, Driver } from 'kysely'
import type { Pool } from 'pg'
import { Failure } from '../../../schemas/failures.ts'
import { PostgresConnection } from './connection.ts'
import { toPostgresFailure } from './failure.ts'

/** Empty; only ever locked. Every other lock would stop vacuum or wait for it. */
export const WRITERS_TABLE = 'logeye_writers'

export const BEGIN = {
  // LOCK takes no snapshot: the transaction's own begins after it.
  write: `begin isolation level serializable; lock table ${WRITERS_TABLE} in exclusive mode`,
  read: 'begin isolation level repeatable read read only',
}

export class PostgresDriver implements Driver {
  readonly #pool: Pool
  readonly #begin: string

  constructor(pool: Pool, begin: string) {
    this.#pool = pool
    this.#begin = begin
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.#pool.connect())
    } catch (error) {
      throw toPostgresFailure(error)
    }
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await own(connection).run(this.#begin)
    } catch (error) {
      // Kysely ends only what it has seen begin.
      await this.rollbackTransaction(connection)
      throw error
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // What cannot be undone ends with its connection; the first error is the one to tell.
    const undone = own(connection).run('rollback')
    await undone.catch((error) => own(connection).breakOff(toPostgresFailure(error)))
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

function own(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection
  throw new Failure('database.failed')
}
