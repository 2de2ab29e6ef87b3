// Whether what an offer gives was approved. Offers of before are not: an operator sends a new one.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const offerApprovalColumn: Migration = {
  number: 12,
  name: 'offer approval',
  async apply(db) {
    await db.schema.alterTable('offer_versions').addColumn('approval', 'text').execute()
  },
}
