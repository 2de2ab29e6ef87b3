// Which audit entries were copied into the event log (docs/decisions/0046).
import type { Migration } from './migration.ts'

export const auditCopyTable: Migration = {
  number: 19,
  name: 'audit copies',
  async apply(db) {
    await db.schema
      .createTable('audit_copies')
      .addColumn('number', 'bigint', (c) => c.primaryKey())
      .addColumn('first_id', 'bigint', (c) => c.notNull())
      .addColumn('last_id', 'bigint', (c) => c.notNull())
      .addColumn('begun_ms', 'bigint', (c) => c.notNull())
      .addColumn('is_done', 'integer', (c) => c.notNull())
      .execute()
  },
}
