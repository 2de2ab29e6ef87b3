// Events and bytes that were stored, by hour of receipt in UTC, from the counters, without the
// folder System: the volume that a licence is about (decision 9.6). Logs that were removed from the
// tree count: their events came in.
import { SYSTEM_FOLDER } from '../../schemas/names/log-path.ts'
import type { Database } from '../database/port.ts'
import type { Store } from '../store/port.ts'
import type { Amount, Hours } from './reported-hours.ts'

export const HOUR_MS = 3_600_000
const HOUR_SECONDS = 3600
const TIMEOUT_MS = 120_000
const MAX_FOLDERS = 100_000

export type CountedDeps = {
  readonly database: Pick<Database, 'read'>
  readonly store: Pick<Store, 'query' | 'catchUp'>
  readonly signal: AbortSignal
}

export type CountedRange = {
  readonly fromHour: number
  /** Not itself; absent: to the end. */
  readonly toHour?: number
  /** `removed`: of logs alone that were taken out of the tree. */
  readonly logs?: 'all' | 'removed'
}

/** Hours in which something was stored. */
export async function readCounted(
  { database, store, signal }: CountedDeps,
  { fromHour, toHour, logs = 'all' }: CountedRange,
): Promise<Hours> {
  await store.catchUp('counts')
  const rows = await store.query<{ hour: number; events: string; bytes: string }>({
    sql: `SELECT toUInt32(intDiv(toUnixTimestamp(quarter), ${HOUR_SECONDS})) AS hour,
      sum(counts.events) AS events, sum(counts.bytes) AS bytes FROM counts
      WHERE quarter >= toDateTime({from: Int64}, 'UTC') AND quarter < toDateTime({to: Int64}, 'UTC')
        AND log_id NOT IN {own: Array(UInt32)}${logs === 'all' ? '' : ' AND log_id NOT IN {seen: Array(UInt32)}'}
      GROUP BY hour`,
    params: {
      from: Math.max(0, fromHour) * HOUR_SECONDS,
      to: (toHour ?? MAX_HOUR) * HOUR_SECONDS,
      own: await readOwnLogs(database.read),
      ...(logs === 'all' ? {} : { seen: await readSeenLogs(database.read) }),
    },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return new Map(
    rows.map(({ hour, events, bytes }): [number, Amount] => [
      hour,
      { events: Number(events), bytes: Number(bytes) },
    ]),
  )
}

/** DateTime ends in 2106. */
const MAX_HOUR = 1_192_000

/** Ids of the logs below System, those that were removed, too. */
export async function readOwnLogs(db: Database['read']): Promise<number[]> {
  const folders = await db.selectFrom('folders').select(['id', 'parent_id', 'name']).execute()
  const children = new Map<number, number[]>()
  for (const { id, parent_id } of folders)
    children.set(parent_id, [...(children.get(parent_id) ?? []), id])
  const own = folders
    .filter(({ parent_id, name }) => parent_id === 0 && name === SYSTEM_FOLDER)
    .map(({ id }) => id)
  for (let at = 0; at < own.length && at < MAX_FOLDERS; at += 1)
    own.push(...(children.get(own[at] ?? 0) ?? []))
  if (own.length === 0) return []
  const logs = await db.selectFrom('logs').select('id').where('folder_id', 'in', own).execute()
  return logs.map(({ id }) => id)
}

async function readSeenLogs(db: Database['read']): Promise<number[]> {
  const logs = await db.selectFrom('logs').select('id').where('removed_ms', 'is', null).execute()
  return logs.map(({ id }) => id)
}
