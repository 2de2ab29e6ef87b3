// What the rows of an alert were made of: logs, and masks of the owner. Of an alert that was opened
// before there was this column nobody knows.
import type { Migration } from './migration.ts'

export const whatAlertsSaw: Migration = {
  number: 59,
  name: 'what alerts saw',
  async apply(db) {
    await db.schema.alterTable('alerts').addColumn('seen', 'text').execute()
  },
}
