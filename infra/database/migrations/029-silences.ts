// Silences of logs that were told, and those that are expected (docs/decisions/0098).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const silenceTables: Migration = {
  number: 29,
  name: 'silences',
  async apply(db) {
    await db.schema
      .createTable('silences')
      .addColumn('log_id', 'integer', (c) => c.notNull())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .addColumn('told_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_ms', 'bigint')
      .addPrimaryKeyConstraint('silences_key', ['log_id', 'since_ms'])
      .execute()
    await db.schema
      .createTable('expected_silences')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('from_ms', 'bigint', (c) => c.notNull())
      .addColumn('to_ms', 'bigint')
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('made_ms', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into sequences values ('expectedSilence', 1)`.execute(db)
  },
}
