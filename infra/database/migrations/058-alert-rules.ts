// By which rule an alert was opened: its monitor may have another one by now. Of an alert that was
// opened before there was this column nobody knows.
import type { Migration } from './migration.ts'

export const alertRules: Migration = {
  number: 58,
  name: 'rules of alerts',
  async apply(db) {
    await db.schema
      .alterTable('alerts')
      .addColumn('rule', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
}
