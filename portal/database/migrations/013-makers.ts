// Which person made an API key, an operator token or a webhook; null: made before, or by a token.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const makerColumns: Migration = {
  number: 13,
  name: 'makers',
  async apply(db) {
    for (const table of ['credentials', 'webhooks'])
      await db.schema.alterTable(table).addColumn('made_by', 'text').execute()
  },
}
