// When a key of the API was last used.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const apiKeyColumns: Migration = {
  number: 8,
  name: 'api keys',
  async apply(db) {
    await db.schema.alterTable('credentials').addColumn('last_used_ms', 'bigint').execute()
    const create = db.schema.createIndex('credentials_by_organization_id_kind').on('credentials')
    await create.columns(['organization_id', 'kind', 'id']).execute()
  },
}
