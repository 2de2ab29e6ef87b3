// Which folders and logs an operator made or changed, and which came with data alone: an exported
// configuration has the former.
import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const declaredNodes: Migration = {
  number: 17,
  name: 'declared nodes',
  async apply(db) {
    for (const table of ['folders', 'logs'])
      await db.schema
        .alterTable(table)
        .addColumn('is_declared', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    // Of those that are there it can only be told by what was said of them.
    await declare(db, 'folders', `description <> ''`)
    await declare(db, 'logs', `description <> '' OR definition <> '{}' OR account_id IS NULL`)
  },
}

async function declare(db: Kysely<unknown>, table: string, condition: string): Promise<void> {
  await sql`UPDATE ${sql.table(table)} SET is_declared = 1 WHERE ${sql.raw(condition)}`.execute(db)
}
