// Monitors, their runs, and the alerts that these open (docs/decisions/0091).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const monitorTables: Migration = {
  number: 27,
  name: 'monitors',
  async apply(db) {
    await db.schema
      .createTable('monitors')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull().unique())
      .addColumn('owner_id', 'integer', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_due_ms', 'bigint', (c) => c.notNull())
      .addColumn('mark', 'text')
      .addColumn('groups', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('status_ms', 'bigint', (c) => c.notNull())
      .addColumn('muted_until_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('monitor_runs')
      .addColumn('monitor_id', 'integer', (c) => c.notNull())
      .addColumn('due_ms', 'bigint', (c) => c.notNull())
      .addColumn('begun_ms', 'bigint', (c) => c.notNull())
      .addColumn('mark_from', 'text')
      .addColumn('mark_to', 'text', (c) => c.notNull())
      .addColumn('ended_ms', 'bigint')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('failing', 'integer', (c) => c.notNull())
      .addColumn('opened', 'integer', (c) => c.notNull())
      .addColumn('closed', 'integer', (c) => c.notNull())
      .addColumn('skipped', 'integer', (c) => c.notNull())
      .addColumn('skipped_from_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('monitor_runs_key', ['monitor_id', 'due_ms'])
      .execute()
    await db.schema
      .createTable('alerts')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('monitor_id', 'integer', (c) => c.notNull())
      .addColumn('monitor_name', 'text', (c) => c.notNull())
      .addColumn('group_key', 'text', (c) => c.notNull())
      .addColumn('severity', 'text', (c) => c.notNull())
      .addColumn('opened_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_ms', 'bigint', (c) => c.notNull())
      .addColumn('closed_ms', 'bigint')
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addColumn('sample', 'text', (c) => c.notNull())
      .addColumn('query', 'text', (c) => c.notNull())
      .addColumn('time_window', 'text', (c) => c.notNull())
      .addColumn('acknowledged_by', 'text')
      .addColumn('acknowledged_ms', 'bigint')
      .addColumn('muted_until_ms', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('alerts_opened', ['monitor_id', 'opened_ms', 'group_key'])
      .execute()
    await db.schema
      .createIndex('alerts_by_end')
      .on('alerts')
      .columns(['closed_ms', 'last_ms'])
      .execute()
    await sql`insert into sequences values ('monitor', 1)`.execute(db)
    await sql`insert into sequences values ('alert', 1)`.execute(db)
  },
}
