// Results of searches that lie in the store, their files, and the cancels that every query process
// looks for.
import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const searchResultTables: Migration = {
  number: 2,
  name: 'search results',
  async apply(db) {
    await makeResults(db)
    await makeCancels(db)
    await sql`insert into sequences values (${'cancel'}, 1)`.execute(db)
  },
}

async function makeResults(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_results')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('logs', 'text', (c) => c.notNull())
    .addColumn('shape', 'text', (c) => c.notNull())
    .addColumn('row_count', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.unique())
    .addColumn('token_expires_ms', 'bigint', (c) => c.notNull())
    .addColumn('result_format', 'text', (c) => c.notNull())
    .addColumn('page_rows', 'integer', (c) => c.notNull())
    .addColumn('next_row', 'bigint', (c) => c.notNull())
    .addColumn('taken_by', 'text', (c) => c.notNull())
    .addColumn('taken_until_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('search_result_files')
    .addColumn('id_hash', 'text', (c) => c.primaryKey())
    .addColumn('result_id', 'text', (c) => c.notNull().references('search_results.id'))
    .addColumn('result_format', 'text', (c) => c.notNull())
    .addColumn('first_row', 'bigint', (c) => c.notNull())
    .addColumn('row_count', 'bigint', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint', (c) => c.notNull())
    .execute()
  for (const table of ['search_results', 'search_result_files'])
    await db.schema.createIndex(`${table}_expires_ms`).on(table).column('expires_ms').execute()
  await db.schema
    .createIndex('search_result_files_result_id')
    .on('search_result_files')
    .column('result_id')
    .execute()
}

async function makeCancels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_cancels')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .addColumn('made_ms', 'bigint', (c) => c.notNull())
    .addColumn('search_key', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('found', 'integer', (c) => c.notNull())
    .execute()
}
