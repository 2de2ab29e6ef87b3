// Keys that sign what is handed out, the same in every process on this database.
import type { Migration } from './migration.ts'

export const sharedKeyTable: Migration = {
  number: 5,
  name: 'shared keys',
  async apply(db) {
    await db.schema
      .createTable('shared_keys')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('key', 'text', (c) => c.notNull())
      .execute()
  },
}
