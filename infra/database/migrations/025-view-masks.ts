// What policies hide from those who have them (docs/decisions/0089).
import type { Migration } from './migration.ts'

export const viewMasks: Migration = {
  number: 25,
  name: 'view masks',
  async apply(db) {
    // JSON list of schemas/masking/view-masks.ts; null: nothing.
    await db.schema.alterTable('policies').addColumn('masks', 'text').execute()
  },
}
