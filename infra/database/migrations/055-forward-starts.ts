// Since when the events of a policy are to be sent on (docs/decisions/0114).
import type { Migration } from './migration.ts'

export const forwardStarts: Migration = {
  number: 55,
  name: 'forward starts',
  async apply(db) {
    await db.schema
      .createTable('forward_starts')
      .addColumn('policy_id', 'integer', (c) => c.primaryKey())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
