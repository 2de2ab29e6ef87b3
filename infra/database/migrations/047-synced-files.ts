// What log sync tasks have copied (docs/decisions/0119), and why the files of a log cannot be read.
import type { Migration } from './migration.ts'

export const syncedFileTables: Migration = {
  number: 47,
  name: 'synced files',
  async apply(db) {
    await db.schema
      .createTable('synced_files')
      .addColumn('task_id', 'integer', (c) => c.notNull())
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .addColumn('algorithm', 'text', (c) => c.notNull())
      .addColumn('checksum', 'text', (c) => c.notNull())
      .addColumn('checked_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('synced_files_key', ['task_id', 'place'])
      .execute()
    await db.schema
      .createTable('collect_faults')
      .addColumn('log_id', 'integer', (c) => c.primaryKey())
      .addColumn('fault', 'text', (c) => c.notNull())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
