// Deletions of events (docs/decisions/0085).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const deletionTable: Migration = {
  number: 24,
  name: 'deletions of events',
  async apply(db) {
    await db.schema
      .createTable('deletions')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('entry', 'text', (c) => c.notNull().unique())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('log_id', 'bigint', (c) => c.notNull())
      .addColumn('log', 'text', (c) => c.notNull())
      .addColumn('condition', 'text', (c) => c.notNull())
      .addColumn('bounds', 'text', (c) => c.notNull())
      .addColumn('units', 'text', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('asked_by', 'text', (c) => c.notNull())
      .addColumn('asked_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_ms', 'bigint')
      .execute()
    await sql`insert into sequences values ('deletion', 1)`.execute(db)
  },
}
