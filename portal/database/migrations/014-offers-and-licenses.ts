// An accepted offer may make no licence, and several change one; a rejection has a reason.
import { sql } from 'kysely'
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const offerEffects: Migration = {
  number: 14,
  name: 'offers and licences',
  async apply(db) {
    // SQLite cannot change a column.
    await db.schema.alterTable('accepted_offers').renameTo('accepted_offers_old').execute()
    await db.schema
      .createTable('accepted_offers')
      .addColumn('offer_id', 'text', (c) => c.primaryKey().references('offers.id'))
      .addColumn('license_id', 'text', (c) => c.references('licenses.id'))
      .addColumn('accepted_by', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into accepted_offers (offer_id, license_id, accepted_by, created_ms)
      select offer_id, license_id, accepted_by, created_ms from accepted_offers_old`.execute(db)
    await db.schema.dropTable('accepted_offers_old').execute()
    await db.schema.alterTable('offers').addColumn('rejection_reason', 'text').execute()
  },
}
