// What the warning addresses of collection policies were told (docs/decisions/0110).
import type { Migration } from './migration.ts'

export const storageWarnings: Migration = {
  number: 37,
  name: 'warnings of storage',
  async apply(db) {
    await db.schema
      .createTable('storage_warnings')
      .addColumn('policy_id', 'integer', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .addColumn('tried_ms', 'bigint')
      .addColumn('told_ms', 'bigint')
      .addPrimaryKeyConstraint('storage_warnings_key', ['policy_id', 'kind'])
      .execute()
  },
}
