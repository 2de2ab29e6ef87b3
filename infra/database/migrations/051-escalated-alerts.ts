// How far alerts were escalated (docs/decisions/0121).
import type { Migration } from './migration.ts'

export const escalatedAlerts: Migration = {
  number: 51,
  name: 'escalated alerts',
  async apply(db) {
    await db.schema
      .alterTable('alerts')
      .addColumn('escalated', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('alert_messages_of_alert')
      .on('alert_messages')
      .column('alert_id')
      .execute()
  },
}
