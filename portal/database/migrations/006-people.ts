// Links by mail, mails on their way, and what a second factor needs beside its secret.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const peopleTables: Migration = {
  number: 6,
  name: 'people',
  async apply(db) {
    await db.schema
      .createTable('one_time_links')
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('person_id', 'text', (c) => c.notNull().references('people.id'))
      .addColumn('purpose', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .addColumn('expires_ms', 'bigint', (c) => c.notNull())
      .addColumn('used_ms', 'bigint')
      .execute()
    await db.schema
      .createTable('mails')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('recipient', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .addColumn('next_ms', 'bigint')
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('sent_ms', 'bigint')
      .addColumn('last_failure', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('mails_by_next_ms').on('mails').column('next_ms').execute()
    for (const [name, value] of [
      ['pending_factor', ''],
      ['recovery_hashes', '[]'],
    ] as const)
      await db.schema
        .alterTable('people')
        .addColumn(name, 'text', (c) => c.notNull().defaultTo(value))
        .execute()
  },
}
