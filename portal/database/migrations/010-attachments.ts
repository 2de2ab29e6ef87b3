// Files that are attached to offers; their bytes are objects (infra/objects).
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const attachmentTables: Migration = {
  number: 10,
  name: 'attachments',
  async apply(db) {
    await db.schema
      .createTable('offer_attachments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('offer_id', 'text', (c) => c.notNull().references('offers.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('media_type', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('object_key', 'text', (c) => c.notNull().unique())
      .addColumn('side', 'text', (c) => c.notNull())
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .execute()
    const create = db.schema.createIndex('offer_attachments_by_offer_id_id').on('offer_attachments')
    await create.columns(['offer_id', 'id']).execute()
  },
}
