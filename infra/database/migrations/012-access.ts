// API tokens, second factors, sessions and the users of an OIDC provider (docs/decisions/0045).
import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const accessTables: Migration = {
  number: 12,
  name: 'access',
  async apply(db) {
    await makeTokens(db)
    await makeSecondFactors(db)
    await makeSessions(db)
    await sql`INSERT INTO changes (area, version) VALUES ('access', 1)`.execute(db)
    await sql`INSERT INTO sequences (name, next) VALUES ('apiToken', 1)`.execute(db)
  },
}

async function makeTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('policy_id', 'integer')
    .addColumn('made_ms', 'bigint', (c) => c.notNull())
    .addColumn('ends_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('api_tokens_name', ['user_id', 'name_folded'])
    .execute()
}

async function makeSecondFactors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('second_factors')
    .addColumn('user_id', 'integer', (c) => c.primaryKey().references('users.id'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('is_confirmed', 'integer', (c) => c.notNull())
    .addColumn('last_step', 'bigint', (c) => c.notNull())
    .addColumn('recovery_hashes', 'text', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('failures_from_ms', 'bigint', (c) => c.notNull())
    .execute()
}

async function makeSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id_hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
    .addColumn('signed_in_by', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('made_ms', 'bigint', (c) => c.notNull())
    .addColumn('used_ms', 'bigint', (c) => c.notNull())
    .addColumn('ends_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
  await db.schema
    .createTable('oidc_identities')
    .addColumn('user_id', 'integer', (c) => c.primaryKey().references('users.id'))
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addUniqueConstraint('oidc_identities_subject', ['issuer', 'subject'])
    .execute()
}
