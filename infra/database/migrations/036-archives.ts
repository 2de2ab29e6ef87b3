// Archives of days, and what of them is thawed (docs/decisions/0108).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const archiveTables: Migration = {
  number: 36,
  name: 'archives and thaws',
  async apply(db) {
    await db.schema
      .createTable('archives')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('entry', 'text', (c) => c.notNull().unique())
      .addColumn('policy_id', 'integer', (c) => c.notNull())
      .addColumn('policy', 'text', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('account', 'text', (c) => c.notNull())
      .addColumn('directory', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('is_foreign', 'integer', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('places', 'text', (c) => c.notNull())
      .addColumn('checksum', 'text', (c) => c.notNull())
      .addColumn('logs', 'text', (c) => c.notNull())
      .addColumn('asked_by', 'text', (c) => c.notNull())
      .addColumn('asked_ms', 'bigint', (c) => c.notNull())
      .addColumn('written_ms', 'bigint')
      .addColumn('dropped_ms', 'bigint')
      .addColumn('check_asked_ms', 'bigint')
      .addColumn('verified_ms', 'bigint')
      .addColumn('tried_ms', 'bigint')
      .addColumn('fault', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('thaws')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('archive', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('until_ms', 'bigint', (c) => c.notNull())
      .addColumn('asked_by', 'text', (c) => c.notNull())
      .addColumn('asked_ms', 'bigint', (c) => c.notNull())
      .addColumn('fault', 'text', (c) => c.notNull())
      .execute()
    for (const name of ['archive', 'thaw', 'foreignEvent'])
      await sql`insert into sequences values (${name}, 1)`.execute(db)
  },
}
