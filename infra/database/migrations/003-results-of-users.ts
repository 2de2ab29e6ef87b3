// What a user has stored is summed up before each stored result: from the index alone, since
// records hold long texts.
import type { Migration } from './migration.ts'

export const resultsOfUsers: Migration = {
  number: 3,
  name: 'results of users',
  async apply(db) {
    await db.schema
      .createIndex('search_results_user_id')
      .on('search_results')
      .columns(['user_id', 'bytes', 'expires_ms'])
      .execute()
  },
}
