// Searches that somebody keeps, for himself or for all (docs/decisions/0081).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const savedSearchTable: Migration = {
  number: 22,
  name: 'saved searches',
  async apply(db) {
    await db.schema
      .createTable('saved_searches')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('owner_id', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('is_shared', 'integer', (c) => c.notNull())
      .addColumn('search', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('saved_searches_name', ['owner_id', 'name_folded'])
      .execute()
    await sql`insert into sequences values ('savedSearch', 1)`.execute(db)
  },
}
