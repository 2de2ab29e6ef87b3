// To which of a task's questions a mark belongs: another query begins anew
// (docs/decisions/0133).
import type { Migration } from './migration.ts'

export const markGenerations: Migration = {
  number: 57,
  name: 'mark generations',
  async apply(db) {
    await db.schema
      .alterTable('collect_marks')
      .addColumn('generation', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
