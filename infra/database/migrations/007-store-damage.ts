// What the store's ledger found last (decision 0021), and what lies beside the store so that its
// loss is seen.
import type { Migration } from './migration.ts'

export const storeDamageTables: Migration = {
  number: 7,
  name: 'damage of the store',
  async apply(db) {
    await db.schema
      .createTable('store_damage')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('policy_id', 'integer', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('log_id', 'bigint', (c) => c.notNull())
      .addColumn('partition_number', 'integer', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('from_ms', 'bigint')
      .addColumn('to_ms', 'bigint')
      .addColumn('found_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('store_checks')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('checked_ms', 'bigint', (c) => c.notNull())
      .addColumn('units', 'bigint', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('accepted', 'integer', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('store_totals')
      .addColumn('partition_number', 'integer', (c) => c.primaryKey())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
