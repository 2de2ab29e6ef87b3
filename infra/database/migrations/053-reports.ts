// Reports by mail (docs/decisions/0125), and what is gathered into one message (0126).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const reportTables: Migration = {
  number: 53,
  name: 'reports',
  async apply(db) {
    await db.schema
      .createTable('reports')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull().unique())
      .addColumn('owner_id', 'integer', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_due_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('report_runs')
      .addColumn('report_id', 'integer', (c) => c.notNull())
      .addColumn('due_ms', 'bigint', (c) => c.notNull())
      .addColumn('begun_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_ms', 'bigint')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint')
      .addColumn('skipped', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('report_runs_key', ['report_id', 'due_ms'])
      .execute()
    await db.schema
      .createTable('report_deliveries')
      .addColumn('report_id', 'integer', (c) => c.notNull())
      .addColumn('due_ms', 'bigint', (c) => c.notNull())
      .addColumn('target_id', 'integer', (c) => c.notNull())
      .addColumn('target_name', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('next_ms', 'bigint')
      .addColumn('failure', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('report_deliveries_key', ['report_id', 'due_ms', 'target_id'])
      .execute()
    await db.schema
      .createIndex('report_deliveries_due')
      .on('report_deliveries')
      .columns(['state', 'next_ms'])
      .execute()
    await db.schema.alterTable('alert_messages').addColumn('digest_id', 'integer').execute()
    await sql`insert into sequences values ('report', 1)`.execute(db)
  },
}
