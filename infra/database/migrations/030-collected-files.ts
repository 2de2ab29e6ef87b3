// Files that are read into logs: the versions of what is said of them, and how far each file is
// read (docs/decisions/0094).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const collectedFileTables: Migration = {
  number: 30,
  name: 'collected files',
  async apply(db) {
    await db.schema
      .createTable('collect_sources')
      .addColumn('log_id', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('templates', 'integer', (c) => c.notNull())
      .addColumn('made_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('collect_sources_key', ['log_id', 'version'])
      .execute()
    await db.schema
      .createTable('collected_files')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('log_id', 'integer', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('position', 'bigint', (c) => c.notNull())
      .addColumn('head_bytes', 'integer', (c) => c.notNull())
      .addColumn('head_hash', 'text', (c) => c.notNull())
      .addColumn('tail_bytes', 'integer', (c) => c.notNull())
      .addColumn('tail_hash', 'text', (c) => c.notNull())
      .addColumn('is_packed', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('fault', 'text', (c) => c.notNull())
      .addColumn('pending', 'text')
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('collected_files_log')
      .on('collected_files')
      .columns(['log_id', 'state'])
      .execute()
    await sql`insert into sequences values ('collectedFile', 1)`.execute(db)
  },
}
