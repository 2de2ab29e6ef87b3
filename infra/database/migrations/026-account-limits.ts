// Tokens that go on for a while beside their successor, and what accounts sent on a day
// (docs/decisions/0090).
import type { Migration } from './migration.ts'

export const accountLimits: Migration = {
  number: 26,
  name: 'account limits',
  async apply(db) {
    await db.schema.alterTable('listener_accounts').addColumn('old_token_hash', 'text').execute()
    await db.schema
      .alterTable('listener_accounts')
      .addColumn('old_token_until_ms', 'bigint')
      .execute()
    await db.schema
      .createTable('account_day_bytes')
      .addColumn('account_id', 'integer', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('account_day_bytes_key', ['account_id', 'day'])
      .execute()
  },
}
