// Deployments, what they report by hour, and the sums of it by day; the keys that entitlements are
// signed with.
import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const deploymentTables: Migration = {
  number: 2,
  name: 'deployments',
  async apply(db) {
    await table(db, 'deployments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('number', 'bigint', (c) => c.notNull().unique())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('license_id', 'text', (c) => c.notNull().references('licenses.id'))
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('reported_name', 'text', (c) => c.notNull())
      .addColumn('label', 'text')
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('layout', 'text', (c) => c.notNull())
      .addColumn('nodes', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('other_address', 'text')
      .addColumn('other_seen_ms', 'bigint')
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_ms', 'bigint', (c) => c.notNull())
      .addColumn('retired_ms', 'bigint')
      .addUniqueConstraint('deployments_once', ['license_id', 'fingerprint'])
      .execute()
    await index(db, 'deployments', ['organization_id', 'number'])
    await index(db, 'deployments', ['fingerprint'])
    await clustered(db, 'usage_hours')
      .addColumn('deployment', 'bigint', (c) => c.notNull())
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_hours_key', ['deployment', 'hour', 'source'])
      .execute()
    await clustered(db, 'usage_days')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('day', 'bigint', (c) => c.notNull())
      .addColumn('events', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_days_key', ['organization_id', 'day'])
      .execute()
    await table(db, 'deployment_alerts')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('deployment_id', 'text', (c) => c.notNull())
      .addColumn('code', 'text', (c) => c.notNull())
      .addColumn('detail', 'text', (c) => c.notNull())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('deployment_alerts_key', [
        'organization_id',
        'deployment_id',
        'code',
      ])
      .execute()
    await table(db, 'signing_keys')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .execute()
  },
}

function table(db: Kysely<unknown>, name: string): CreateTableBuilder<string, never> {
  return db.schema.createTable(name)
}

/** On SQLite the rows lie in the primary key itself: half the space, and one tree to write. */
function clustered(db: Kysely<unknown>, name: string): CreateTableBuilder<string, never> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  return isSqlite ? table(db, name).modifyEnd(sql`without rowid`) : table(db, name)
}

async function index(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  const create = db.schema.createIndex(`${name}_by_${columns.join('_')}`)
  await create.on(name).columns(columns).execute()
}
