// The clock of this machine, beside times that the product wrote down earlier and, on PostgreSQL,
// beside the clock of its server.
import { sql } from 'kysely'
import { readBuiltMs } from '../cli/version.ts'
import type { Database } from '../database/port.ts'
import { bad, type Examination, type Finding, ok } from './check.ts'

/** More than two machines of one network differ, less than an event may lie ahead. */
const MAX_AHEAD_MS = 60_000
const ADVICE =
  'set the clock and keep it by NTP (chrony, systemd-timesyncd); events are stored at the time of this clock'

export async function checkClock({
  config,
  clock,
  metastore,
}: Examination): Promise<readonly Finding[]> {
  const nowMs = clock.nowMs()
  const here = new Date(nowMs).toISOString()
  const builtMs = readBuiltMs()
  if (builtMs !== undefined && nowMs < builtMs)
    return bad(`the clock says ${here}, which is before this program was made`, ADVICE)
  if (metastore === undefined) return []
  const { read } = metastore.database
  const latestMs = await readLatestMs(read)
  if (latestMs > nowMs + MAX_AHEAD_MS) {
    const latest = new Date(latestMs).toISOString()
    const text = `the clock says ${here}, and the product wrote something down at ${latest}: it was set back, or was ahead then`
    return bad(text, ADVICE)
  }
  if (config.databaseUrl === undefined) return ok(`${here}, later than all that was written down`)
  const serverMs = await readServerMs(read)
  const apartMs = Math.abs(serverMs - clock.nowMs())
  const apart = `${(apartMs / 1000).toFixed(1)} s apart from the clock of the database's server`
  return apartMs > MAX_AHEAD_MS ? bad(`${here}, ${apart}`, ADVICE) : ok(`${here}, ${apart}`)
}

/** The newest time that any process has noted. */
async function readLatestMs(read: Database['read']): Promise<number> {
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

async function readServerMs(read: Database['read']): Promise<number> {
  const { rows } = await sql<{ ms: number | string }>`
    SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`.execute(read)
  return Number(rows[0]?.ms)
}
