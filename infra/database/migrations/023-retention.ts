// Units that are taken out of the store, and legal holds (docs/decisions/0084).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const retentionTables: Migration = {
  number: 23,
  name: 'retention and legal holds',
  async apply(db) {
    await db.schema
      .createTable('unit_removals')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('entry', 'text', (c) => c.notNull().unique())
      .addColumn('policy_id', 'integer', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('cause', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('begun_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_ms', 'bigint')
      .execute()
    await db.schema
      .createTable('legal_holds')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('target_id', 'bigint', (c) => c.notNull())
      .addColumn('from_ms', 'bigint')
      .addColumn('to_ms', 'bigint')
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('made_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('policy_retentions')
      .addColumn('policy_id', 'integer', (c) => c.primaryKey())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into sequences values ('unitRemoval', 1)`.execute(db)
    await sql`insert into sequences values ('legalHold', 1)`.execute(db)
  },
}
