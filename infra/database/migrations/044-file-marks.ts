// What stands at some places of a collected file: a copy that ends before its position is known by
// it (docs/decisions/0094).
import type { Migration } from './migration.ts'

export const fileMarks: Migration = {
  number: 44,
  name: 'file marks',
  async apply(db) {
    await db.schema
      .alterTable('collected_files')
      .addColumn('marks', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
}
