// What a licence is measured by: events and bytes as they were stored, by hour of receipt (UTC),
// without the product's own folder. From the counters that the statistics use, so what was deleted
// since is in it.
import type { Tree } from '../../infra/metastore/tree/port.ts'
import { SYSTEM_FOLDER } from '../../schemas/names/log-path.ts'
import type { Ask } from './collected-logs.ts'

export type HourVolume = {
  /** Its start, epoch milliseconds. */
  readonly hourMs: number
  readonly events: number
  readonly bytes: number
}

/** Hours from that of `startMs` to before `endMs`, without those in which nothing came. */
export async function readLicenceVolume(
  ask: Ask,
  { logs }: Pick<Tree, 'logs'>,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<HourVolume[]> {
  const own = [...logs.values()].filter(({ folder }) => folder[0] === SYSTEM_FOLDER)
  const rows = await ask<Record<'hour' | 'events' | 'bytes', string | number>>({
    sql: `SELECT toUnixTimestamp(toStartOfHour(quarter)) AS hour, sum(events) AS events, sum(bytes) AS bytes
      FROM counts WHERE toUnixTimestamp(quarter) >= {from: UInt32} AND toUnixTimestamp(quarter) < {to: UInt32}
        AND NOT has({own: Array(UInt32)}, log_id) GROUP BY hour ORDER BY hour`,
    params: {
      from: Math.floor(startMs / HOUR_MS) * (HOUR_MS / 1000),
      to: Math.ceil(endMs / 1000),
      own: own.map(({ id }) => id),
    },
  })
  return rows.map(({ hour, events, bytes }) => ({
    hourMs: Number(hour) * 1000,
    events: Number(events),
    bytes: Number(bytes),
  }))
}

const HOUR_MS = 3_600_000
