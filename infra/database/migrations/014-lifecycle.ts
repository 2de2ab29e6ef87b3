// Backups that were asked for, and what became of them (docs/decisions/0048): the front asks, the
// process with the writer makes them. And the licence that is installed (docs/decisions/0049).
import type { Migration } from './migration.ts'

export const lifecycleTables: Migration = {
  number: 14,
  name: 'backups and licence',
  async apply(db) {
    await db.schema
      .createTable('backups')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('is_dry_run', 'integer', (c) => c.notNull())
      .addColumn('asked_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_ms', 'bigint')
      .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('summary', 'text', (c) => c.notNull().defaultTo('{}'))
      .addColumn('reason', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createTable('installed_license')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('installed_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
