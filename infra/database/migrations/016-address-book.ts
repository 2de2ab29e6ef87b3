// Accounts of the address book, and which keys encrypted their secrets (docs/decisions/0047).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const addressBook: Migration = {
  number: 16,
  name: 'address book',
  async apply(db) {
    await db.schema
      .createTable('book_accounts')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull().unique())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('secrets', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('secret_keys')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('key_id', 'text', (c) => c.notNull().unique())
      .addColumn('made_ms', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into sequences values ('bookAccount', 1)`.execute(db)
  },
}
