// How far sources are copied that are no files: by a mark that the source gave or that was read of
// it (docs/decisions/0123, 0124).
import type { Migration } from './migration.ts'

export const collectMarks: Migration = {
  number: 52,
  name: 'collect marks',
  async apply(db) {
    await db.schema
      .createTable('collect_marks')
      .addColumn('log_id', 'integer', (c) => c.notNull())
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('mark', 'text', (c) => c.notNull())
      .addColumn('pieces', 'bigint', (c) => c.notNull())
      .addColumn('pending', 'text')
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('changed_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('collect_marks_key', ['log_id', 'place'])
      .execute()
  },
}
