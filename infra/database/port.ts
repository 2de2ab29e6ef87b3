// A database: the one under the metastore, or another lane's with its own tables. Queries are
// Kysely's; only infra/database knows which engine runs.
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** What one write or snapshot works on. */
export type DatabaseTransaction = Transaction<Tables>

export interface Database<Of = Tables> {
  /** Single statements; never writes. */
  readonly read: Kysely<Of>
  /** Several reads of one moment. */
  snapshot<T>(work: (transaction: Transaction<Of>) => Promise<T>): Promise<T>
  /**
   * The only way to write: one transaction, serial with every other writer of any process, durable
   * when it resolves. `work` may run again from the start after a conflict: no effect but through
   * the transaction, and nothing slow in it. Fails with database.unavailable, database.conflict,
   * database.no_space.
   */
  write<T>(work: (transaction: Transaction<Of>) => Promise<T>): Promise<T>
  close(): Promise<void>
}
