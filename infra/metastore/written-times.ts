// Times that a clock is compared with: those that were written down, and PostgreSQL's own.
import { sql } from 'kysely'
import type { Database } from '../database/port.ts'

/** The newest time that any process has noted. */
export async function readLatestMs(read: Database['read']): Promise<number> {
  const times = [
    await read
      .selectFrom('audit')
      .select((it) => it.fn.max('at_ms').as('ms'))
      .executeTakeFirst(),
    await read
      .selectFrom('listening_nodes')
      .select((it) => it.fn.max('seen_ms').as('ms'))
      .executeTakeFirst(),
    await read
      .selectFrom('store_checks')
      .select((it) => it.fn.max('checked_ms').as('ms'))
      .executeTakeFirst(),
    await read
      .selectFrom('logs')
      .select((it) => it.fn.max('made_ms').as('ms'))
      .executeTakeFirst(),
  ]
  return Math.max(0, ...times.map((row) => Number(row?.ms ?? 0)))
}

/** The clock of its server; PostgreSQL alone. */
export async function readServerMs(read: Database['read']): Promise<number> {
  const { rows } = await sql<{ ms: number | string }>`
    SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`.execute(read)
  return Number(rows[0]?.ms)
}
