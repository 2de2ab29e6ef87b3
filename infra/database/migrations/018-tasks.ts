// Tasks, by which the product will collect (product facts 12 and 13). Nothing runs them yet.
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const taskTable: Migration = {
  number: 18,
  name: 'tasks',
  async apply(db) {
    await db.schema
      .createTable('tasks')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_folded', 'text', (c) => c.notNull().unique())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into sequences values ('task', 1)`.execute(db)
  },
}
