// Rejected events that were sent again, by their place in the store
// (infra/metastore/ledger/replayed-events.ts).
import type { Migration } from './migration.ts'

export const replayedEventTable: Migration = {
  number: 9,
  name: 'replayed events',
  async apply(db) {
    await db.schema
      .createTable('replayed_events')
      .addColumn('partition', 'integer', (c) => c.notNull())
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('is_done', 'integer', (c) => c.notNull())
      .addColumn('begun_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('replayed_events_key', ['partition', 'place'])
      .execute()
  },
}
