// Apps, their dashboards, and the results that are kept of them (docs/decisions/0073).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const dashboardTables: Migration = {
  number: 21,
  name: 'dashboards',
  async apply(db) {
    await db.schema
      .createTable('apps')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull().unique())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('view_groups', 'text')
      .addColumn('view_users', 'text')
      .addColumn('edit_groups', 'text')
      .addColumn('edit_users', 'text')
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('dashboards')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('app_id', 'integer', (c) => c.notNull().references('apps.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull())
      .addColumn('definition', 'text', (c) => c.notNull())
      .addColumn('saved_by', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('dashboards_name', ['app_id', 'name_folded'])
      .execute()
    await db.schema
      .createTable('dashboard_results')
      .addColumn('dashboard_id', 'integer', (c) => c.notNull())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('last_log_id', 'integer', (c) => c.notNull())
      .addColumn('made_of', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('asked_ms', 'bigint', (c) => c.notNull())
      .addColumn('generated_ms', 'bigint', (c) => c.notNull())
      .addColumn('result', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('dashboard_results_key', ['dashboard_id', 'scope'])
      .execute()
    await sql`insert into sequences values ('app', 1)`.execute(db)
    await sql`insert into sequences values ('dashboard', 1)`.execute(db)
  },
}
