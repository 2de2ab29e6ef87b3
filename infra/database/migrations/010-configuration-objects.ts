// What an operator says of folders and logs, and that one was removed: its row stays for the events
// that name it (docs/decisions/0036).
import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const configurationObjects: Migration = {
  number: 10,
  name: 'configuration objects',
  async apply(db) {
    for (const table of ['folders', 'logs']) {
      await addText(db, table, 'description', '')
      await db.schema.alterTable(table).addColumn('removed_ms', 'bigint').execute()
    }
    await addText(db, 'logs', 'definition', '{}')
    // Logs can lie in the root folder from now on, and each log names a folder that has a row.
    await sql`INSERT INTO folders (id, parent_id, name, changed) VALUES (0, -1, '', 0)`.execute(db)
  },
}

async function addText(
  db: Kysely<unknown>,
  table: string,
  column: string,
  value: string,
): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(column, 'text', (c) => c.notNull().defaultTo(value))
    .execute()
}
