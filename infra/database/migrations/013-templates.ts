// Templates as rows that never change (docs/decisions/0041): each change of one is the next number,
// and a version of a listener account names the number that its events meet.
import type { Migration } from './migration.ts'

export const templateTables: Migration = {
  number: 13,
  name: 'templates',
  async apply(db) {
    await db.schema
      .createTable('template_versions')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('made_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('template_versions_name')
      .on('template_versions')
      .columns(['name_folded', 'number'])
      .execute()
    await db.schema
      .alterTable('listener_account_versions')
      .addColumn('templates', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
