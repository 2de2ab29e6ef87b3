// Credits and the history of alerts.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const creditTables: Migration = {
  number: 3,
  name: 'credits',
  async apply(db) {
    await db.schema
      .createTable('credit_grants')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('grant', 'text', (c) => c.notNull())
      .addColumn('voided', 'text')
      .execute()
    await db.schema
      .createTable('credit_usage')
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('usage', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('credit_usage_key', ['organization_id', 'key'])
      .execute()
    await db.schema
      .createTable('credit_movements')
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('movement', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('credit_movements_key', ['organization_id', 'number'])
      .execute()
    await db.schema
      .createTable('credit_ledgers')
      .addColumn('organization_id', 'text', (c) => c.primaryKey().references('organizations.id'))
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('booked_at', 'text')
      .execute()
    await db.schema
      .createTable('license_alerts')
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .addColumn('code', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('severity', 'text', (c) => c.notNull())
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('last_held_ms', 'bigint', (c) => c.notNull())
      .addColumn('cleared_ms', 'bigint')
      .addPrimaryKeyConstraint('license_alerts_key', [
        'organization_id',
        'since_ms',
        'code',
        'subject',
      ])
      .execute()
  },
}
