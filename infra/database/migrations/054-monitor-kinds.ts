// What monitors that tell of new kinds of events have seen (docs/decisions/0130).
import type { Migration } from './migration.ts'

export const monitorKindTables: Migration = {
  number: 54,
  name: 'monitor kinds',
  async apply(db) {
    await db.schema
      .createTable('monitor_memories')
      .addColumn('monitor_id', 'integer', (c) => c.primaryKey())
      .addColumn('asked', 'text', (c) => c.notNull())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('monitor_kinds')
      .addColumn('monitor_id', 'integer', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('first_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_ms', 'bigint', (c) => c.notNull())
      .addColumn('young', 'bigint', (c) => c.notNull())
      .addColumn('told', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('monitor_kinds_key', ['monitor_id', 'kind'])
      .execute()
  },
}
