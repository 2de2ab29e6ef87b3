// Leases: work that only one of all processes on this database may do at a time, and its holder.
import type { Migration } from './migration.ts'

export const leaseTable: Migration = {
  number: 4,
  name: 'leases',
  async apply(db) {
    await db.schema
      .createTable('leases')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('fence', 'bigint', (c) => c.notNull())
      .addColumn('beat', 'bigint', (c) => c.notNull())
      .execute()
  },
}
