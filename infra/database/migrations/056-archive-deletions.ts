// Which deletions an archive that is being written waits for (docs/decisions/0108).
import type { Migration } from './migration.ts'

export const archiveDeletions: Migration = {
  number: 56,
  name: 'archive deletions',
  async apply(db) {
    await db.schema.alterTable('archives').addColumn('last_deletion', 'integer').execute()
  },
}
