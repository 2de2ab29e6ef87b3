// What only one process may do at a time, of all on this database, and who does it.
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
