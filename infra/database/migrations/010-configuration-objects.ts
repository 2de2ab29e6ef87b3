// What an operator says of folders and logs, and that one was removed: its row stays for the events
// that name it (docs/decisions/0036).
import type { Kysely } from 'kysely'
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
