// The first tables. A migration that was released is never edited: the next number changes what it
// made.
import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const metastoreTables: Migration = {
  number: 1,
  name: 'metastore',
  async apply(db) {
    await makeCounters(db)
    await fillCounters(db)
    await makeNames(db)
    await makeListenerAccounts(db)
    await makeTree(db)
    await makeSecurity(db)
    await makeAudit(db)
  },
}

async function makeCounters(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sequences')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('next', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('changes')
    .addColumn('area', 'text', (c) => c.primaryKey())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}

/** Counters start at 1; ids of the tree too. Ids below 100 of users, groups and policies are built
 *  in. */
async function fillCounters(db: Kysely<unknown>): Promise<void> {
  const areas = ['accounts', 'tree', 'columns', 'security', 'settings']
  for (const area of areas) await sql`insert into changes values (${area}, 1)`.execute(db)
  const firsts = { folder: 1, log: 1, account: 1, appTag: 1, user: 100, audit: 1 }
  for (const [name, next] of Object.entries(firsts))
    await sql`insert into sequences values (${name}, ${next})`.execute(db)
}

async function makeNames(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('collection_policies')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull().unique())
    .addColumn('description', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('app_tags')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull().unique())
    .execute()
}

async function makeListenerAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listener_accounts')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('removed_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('listener_accounts_name')
    .on('listener_accounts')
    .column('name_folded')
    .unique()
    .where(sql<boolean>`removed_ms is null`)
    .execute()
  await db.schema
    .createTable('listener_account_versions')
    .addColumn('account_id', 'integer', (c) => c.notNull().references('listener_accounts.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('made_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('listener_account_versions_key', ['account_id', 'version'])
    .execute()
}

async function makeTree(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('folders')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('parent_id', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('changed', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('folders_place', ['parent_id', 'name'])
    .execute()
  await db.schema
    .createTable('logs')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('folder_id', 'integer', (c) => c.notNull().references('folders.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('account_id', 'integer', (c) => c.references('listener_accounts.id'))
    .addColumn('policy_id', 'integer', (c) => c.notNull().references('collection_policies.id'))
    .addColumn('app_tags', 'text', (c) => c.notNull())
    .addColumn('type_words', 'text', (c) => c.notNull())
    .addColumn('received_hour', 'bigint', (c) => c.notNull())
    .addColumn('made_ms', 'bigint', (c) => c.notNull())
    .addColumn('changed', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('logs_place', ['folder_id', 'name'])
    .execute()
  await addIndex(db, 'folders', ['changed'])
  await addIndex(db, 'logs', ['changed'])
  await addIndex(db, 'logs', ['account_id', 'received_hour'])
  await db.schema
    .createTable('columns')
    .addColumn('seq', 'bigint', (c) => c.primaryKey())
    .addColumn('log_id', 'integer', (c) => c.notNull().references('logs.id'))
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addUniqueConstraint('columns_place', ['log_id', 'name_key', 'kind'])
    .execute()
}

async function makeSecurity(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('policies')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull().unique())
    .addColumn('display_name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('operations', 'text', (c) => c.notNull())
    .addColumn('is_fixed', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull())
    .addColumn('display_name', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('policy_id', 'integer', (c) => c.references('policies.id'))
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('removed_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('users_name')
    .on('users')
    .column('name_folded')
    .unique()
    .where(sql<boolean>`removed_ms is null`)
    .execute()
  await db.schema
    .createTable('user_groups')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull().unique())
    .addColumn('display_name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('policy_id', 'integer', (c) => c.references('policies.id'))
    .addColumn('is_fixed', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('group_members')
    .addColumn('group_id', 'integer', (c) => c.notNull().references('user_groups.id'))
    .addColumn('member_kind', 'text', (c) => c.notNull())
    .addColumn('member_id', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('group_members_key', ['group_id', 'member_kind', 'member_id'])
    .execute()
  await db.schema
    .createTable('node_permissions')
    .addColumn('node_kind', 'text', (c) => c.notNull())
    .addColumn('node_id', 'integer', (c) => c.notNull())
    .addColumn('view_groups', 'text', (c) => c.notNull())
    .addColumn('view_users', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('node_permissions_key', ['node_kind', 'node_id'])
    .execute()
}

async function makeAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('user_name', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .execute()
  await addIndex(db, 'audit', ['at_ms'])
}

async function addIndex(
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
): Promise<void> {
  await db.schema
    .createIndex(`${table}_${columns.join('_')}`)
    .on(table)
    .columns([...columns])
    .execute()
}
