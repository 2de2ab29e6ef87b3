// Offers, each version of them, and what came of those that were accepted.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const offerTables: Migration = {
  number: 7,
  name: 'offers',
  async apply(db) {
    await db.schema
      .createTable('offers')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('valid_until_ms', 'bigint', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .addColumn('sent_ms', 'bigint')
      .addColumn('decided_ms', 'bigint')
      .execute()
    const create = db.schema.createIndex('offers_by_organization_id_id').on('offers')
    await create.columns(['organization_id', 'id']).execute()
    await db.schema
      .createTable('offer_versions')
      .addColumn('offer_id', 'text', (c) => c.notNull().references('offers.id'))
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('offered', 'text', (c) => c.notNull())
      .addColumn('quote', 'text', (c) => c.notNull())
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('offer_versions_key', ['offer_id', 'version'])
      .execute()
    await db.schema
      .createTable('accepted_offers')
      .addColumn('offer_id', 'text', (c) => c.primaryKey().references('offers.id'))
      .addColumn('license_id', 'text', (c) => c.notNull().unique().references('licenses.id'))
      .addColumn('accepted_by', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
