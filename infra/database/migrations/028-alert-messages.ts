// What is told of alerts, and when nobody is to be told (docs/decisions/0092).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const alertMessageTables: Migration = {
  number: 28,
  name: 'alert messages',
  async apply(db) {
    await db.schema
      .createTable('alert_messages')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('alert_id', 'integer', (c) => c.notNull())
      .addColumn('monitor_id', 'integer', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('target_id', 'integer', (c) => c.notNull())
      .addColumn('target_name', 'text', (c) => c.notNull())
      .addColumn('notice', 'text', (c) => c.notNull())
      .addColumn('made_ms', 'bigint', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('next_ms', 'bigint')
      .execute()
    await db.schema
      .createIndex('alert_messages_due')
      .on('alert_messages')
      .columns(['state', 'next_ms'])
      .execute()
    await db.schema
      .createTable('alert_attempts')
      .addColumn('message_id', 'integer', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_ms', 'bigint')
      .addColumn('status', 'integer')
      .addColumn('failure', 'text')
      .addPrimaryKeyConstraint('alert_attempts_key', ['message_id', 'number'])
      .execute()
    await db.schema
      .createTable('maintenance_windows')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull().unique())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into sequences values ('alertMessage', 1)`.execute(db)
    await sql`insert into sequences values ('maintenanceWindow', 1)`.execute(db)
  },
}
