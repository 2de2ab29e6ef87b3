// From where a person has signed in.
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const sessionAddressColumn: Migration = {
  number: 11,
  name: 'session address',
  async apply(db) {
    await db.schema.alterTable('credentials').addColumn('address', 'text').execute()
  },
}
