// Collection policies and app tags with all that an operator says of them (docs/decisions/0043).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const policiesAndTags: Migration = {
  number: 11,
  name: 'policies and tags',
  async apply(db) {
    for (const table of ['collection_policies', 'app_tags'])
      await db.schema
        .alterTable(table)
        .addColumn('settings', 'text', (c) => c.notNull().defaultTo('{}'))
        .execute()
    await db.schema.alterTable('collection_policies').addColumn('removed_ms', 'bigint').execute()
    await sql`insert into changes values ('tags', 1)`.execute(db)
    // 1 is the policy Default.
    await sql`insert into sequences values ('collectionPolicy', 2)`.execute(db)
  },
}
