// Webhooks: where they go, the events, a message for each event and webhook, and its attempts.
import type { Kysely } from 'kysely'
import type { Migration } from '../../../infra/database/migrations/migration.ts'

export const webhookTables: Migration = {
  number: 9,
  name: 'webhooks',
  async apply(db) {
    await db.schema
      .createTable('webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('events', 'text', (c) => c.notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('old_secrets', 'text', (c) => c.notNull())
      .addColumn('disabled_by', 'text')
      .addColumn('disabled_ms', 'bigint')
      .addColumn('delivered_ms', 'bigint')
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .execute()
    await index(db, 'webhooks', ['organization_id', 'id'])
    await db.schema
      .createTable('webhook_events')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .execute()
    await index(db, 'webhook_events', ['created_ms'])
    await db.schema
      .createTable('webhook_messages')
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('started_ms', 'bigint', (c) => c.notNull())
      .addColumn('next_ms', 'bigint')
      .addPrimaryKeyConstraint('webhook_messages_key', ['webhook_id', 'event_id'])
      .execute()
    await index(db, 'webhook_messages', ['next_ms'])
    await index(db, 'webhook_messages', ['event_id'])
    await db.schema
      .createTable('webhook_attempts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('duration_ms', 'bigint', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('failure', 'text')
      .addColumn('answer', 'text', (c) => c.notNull())
      .execute()
    await index(db, 'webhook_attempts', ['webhook_id', 'id'])
    await index(db, 'webhook_attempts', ['at_ms'])
    await db.schema
      .createTable('told_events')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}

async function index(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  const create = db.schema.createIndex(`${name}_by_${columns.join('_')}`)
  await create.on(name).columns(columns).execute()
}
