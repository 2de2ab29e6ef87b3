// Runs of tasks: asked for by a user or a schedule, done by the collector (docs/decisions/0095).
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const taskRunTable: Migration = {
  number: 31,
  name: 'task runs',
  async apply(db) {
    await db.schema
      .createTable('task_runs')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('task_id', 'integer', (c) => c.notNull())
      .addColumn('cause', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('asked_ms', 'bigint', (c) => c.notNull())
      .addColumn('begun_ms', 'bigint')
      .addColumn('ended_ms', 'bigint')
      .addColumn('counts', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('task_runs_task')
      .on('task_runs')
      .columns(['task_id', 'id'])
      .execute()
    await sql`insert into sequences values ('taskRun', 1)`.execute(db)
  },
}
