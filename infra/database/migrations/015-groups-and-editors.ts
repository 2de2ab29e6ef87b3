// Who administers a group, and who may edit a folder or a log.
import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const groupsAndEditors: Migration = {
  number: 15,
  name: 'groups and editors',
  async apply(db) {
    await db.schema
      .createTable('group_administrators')
      .addColumn('group_id', 'integer', (c) => c.notNull().references('user_groups.id'))
      .addColumn('admin_kind', 'text', (c) => c.notNull())
      .addColumn('admin_id', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('group_administrators_key', ['group_id', 'admin_kind', 'admin_id'])
      .execute()
    await db.schema
      .createTable('node_editors')
      .addColumn('node_kind', 'text', (c) => c.notNull())
      .addColumn('node_id', 'integer', (c) => c.notNull())
      .addColumn('edit_groups', 'text', (c) => c.notNull())
      .addColumn('edit_users', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('node_editors_key', ['node_kind', 'node_id'])
      .execute()
    await startSequence(db, 'group')
    await startSequence(db, 'policy')
  },
}

/** Ids below 100 are built in. */
async function startSequence(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`insert into sequences values (${name}, 100)`.execute(db)
}
