// How far the events of a policy are sent on (docs/decisions/0114).
import type { Migration } from './migration.ts'

export const forwardPositions: Migration = {
  number: 45,
  name: 'forward positions',
  async apply(db) {
    await db.schema
      .createTable('forward_positions')
      .addColumn('policy_id', 'integer', (c) => c.notNull())
      .addColumn('partition', 'integer', (c) => c.notNull())
      .addColumn('offset', 'bigint', (c) => c.notNull())
      .addColumn('event', 'bigint', (c) => c.notNull())
      .addColumn('received_ms', 'bigint', (c) => c.notNull())
      .addColumn('to_offset', 'bigint')
      .addColumn('to_event', 'bigint')
      .addPrimaryKeyConstraint('forward_positions_key', ['policy_id', 'partition'])
      .execute()
  },
}
