// How the product stands with its portal, and which hours it has reported
// (docs/decisions/0060).
import type { Migration } from './migration.ts'

export const heartbeatTables: Migration = {
  number: 20,
  name: 'heartbeat',
  async apply(db) {
    await db.schema
      .createTable('portal_link')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('setup', 'text', (c) => c.notNull())
      .addColumn('portal_key', 'text', (c) => c.notNull())
      .addColumn('deployment_id', 'text', (c) => c.notNull())
      .addColumn('token', 'text', (c) => c.notNull())
      .addColumn('entitlement', 'text', (c) => c.notNull())
      .addColumn('license_state', 'text', (c) => c.notNull())
      .addColumn('failure', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('begun_ms', 'bigint', (c) => c.notNull())
      .addColumn('reached_ms', 'bigint', (c) => c.notNull())
      .addColumn('next_ms', 'bigint', (c) => c.notNull())
      .addColumn('looked_ms', 'bigint', (c) => c.notNull())
      .addColumn('due_hours', 'integer', (c) => c.notNull())
      .addColumn('refused_hours', 'integer', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('reported_hours')
      .addColumn('deployment_id', 'text', (c) => c.notNull())
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('portal_key', 'text', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('reported_hours_key', ['deployment_id', 'hour'])
      .execute()
  },
}
