// Price books as they were imported.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const pricingTables: Migration = {
  number: 4,
  name: 'pricing',
  async apply(db) {
    await db.schema
      .createTable('price_books')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('document', 'text', (c) => c.notNull())
      .addColumn('from_day', 'text', (c) => c.notNull())
      .addColumn('to_day', 'text')
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('price_books_once', ['name', 'version'])
      .execute()
    const create = db.schema.createIndex('price_books_by_from_day').on('price_books')
    await create.column('from_day').execute()
  },
}
