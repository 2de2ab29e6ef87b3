// Nodes with a listener, by the name that each was given
// (infra/metastore/accounts/listening-nodes.ts).
import type { Migration } from './migration.ts'

export const listeningNodeTable: Migration = {
  number: 8,
  name: 'listening nodes',
  async apply(db) {
    await db.schema
      .createTable('listening_nodes')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('seen_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
