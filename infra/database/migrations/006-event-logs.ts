// Event logs that the events of this product came from, one after the other
// (infra/metastore/ledger/known-event-log.ts).
import type { Migration } from './migration.ts'

export const eventLogTable: Migration = {
  number: 6,
  name: 'event logs',
  async apply(db) {
    await db.schema
      .createTable('event_logs')
      .addColumn('generation', 'integer', (c) => c.primaryKey())
      .addColumn('identity', 'text', (c) => c.notNull())
      .addColumn('adopted_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
