// Kysely's driver over one SqliteConnection: one user at a time, waiting users in order. BEGIN
// IMMEDIATE is tried again outside SQLite, so that another process's long transaction never stops
// this one's event loop.
import type { DatabaseConnection, Driver } from 'kysely'
import { Failure } from '../../schemas/failures.ts'
import { systemClock } from '../clock.ts'
import { isBusy, toDatabaseFailure } from './database-failure.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const BEGIN_WITHIN_MS = 5000
const RETRY_PAUSE_MS = 10

export type SqliteDriverOptions = {
  readonly path: string
  /** `immediate` takes the write lock at BEGIN: no transaction can fail half-way because another
   *  wrote first. */
  readonly begin: 'immediate' | 'deferred'
  readonly pragmas: readonly string[]
}

export class SqliteDriver implements Driver {
  readonly #options: SqliteDriverOptions
  #connection: SqliteConnection | undefined
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(options: SqliteDriverOptions) {
    this.#options = options
  }

  async init(): Promise<void> {
    const isCommitInThread = this.#options.begin === 'immediate'
    const connection = new SqliteConnection(this.#options.path, { isCommitInThread })
    try {
      for (const pragma of this.#options.pragmas)
        await this.#retryWhileBusy(() => connection.pragma(pragma))
    } catch (error) {
      connection.close()
      throw error
    }
    this.#connection = connection
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last
    let release = () => {}
    this.#last = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    try {
      const connection = this.#opened()
      connection.checkFile()
      return connection
    } catch (error) {
      release()
      throw error
    }
  }

  async beginTransaction(): Promise<void> {
    const connection = this.#opened()
    await this.#retryWhileBusy(() => connection.exec(`begin ${this.#options.begin}`))
  }

  async commitTransaction(): Promise<void> {
    const connection = this.#opened()
    await this.#retryWhileBusy(() => connection.exec('commit'))
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite has rolled back by itself after some errors (disk full, IO).
    const connection = this.#opened()
    if (connection.isInTransaction) await this.#retryWhileBusy(() => connection.exec('rollback'))
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async destroy(): Promise<void> {
    this.#connection?.close()
    this.#connection = undefined
  }

  #opened(): SqliteConnection {
    if (this.#connection === undefined) throw new Failure('database.unavailable')
    return this.#connection
  }

  async #retryWhileBusy(step: () => Promise<void>): Promise<void> {
    // Another process works in real time, whatever clock the rows are dated by.
    const deadline = systemClock.elapsedMs() + BEGIN_WITHIN_MS
    for (;;) {
      try {
        await step()
        return
      } catch (error) {
        if (!isBusy(error) || systemClock.elapsedMs() >= deadline) throw toDatabaseFailure(error)
        await systemClock.sleep(RETRY_PAUSE_MS)
      }
    }
  }
}
