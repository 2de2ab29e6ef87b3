// What the counters of the store say of when logs received events.
import type { Ask } from '../collected-logs.ts'
import { LEARNED_QUARTERS } from './cadence.ts'

const QUARTER_S = 900
/** Logs whose quarters are read at once. */
const LOGS_AT_ONCE = 100

/** Quarters of an hour since 1970. */
export type Received = { readonly quarters: readonly number[]; readonly events: readonly number[] }

/** The last quarter with an event of each log that had one in the time that is learned from. */
export async function readLastQuarters(
  ask: Ask,
  now: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await ask<{ log: string | number; last: string | number }>({
    sql: `SELECT log_id AS log, toUnixTimestamp(max(quarter)) AS last FROM counts
      WHERE quarter >= fromUnixTimestamp({from: UInt32}) AND events > 0 GROUP BY log_id`,
    params: { from: (now - LEARNED_QUARTERS) * QUARTER_S },
  })
  return new Map(rows.map(({ log, last }) => [Number(log), Number(last) / QUARTER_S]))
}

/** In pieces, so that many logs take little memory. */
export async function* readReceived(
  ask: Ask,
  logs: readonly number[],
  now: number,
): AsyncGenerator<readonly [number, Received]> {
  for (let at = 0; at < logs.length; at += LOGS_AT_ONCE) {
    const rows = await ask<{
      log: string | number
      quarters: number[]
      amounts: (string | number)[]
    }>({
      sql: `SELECT log, groupArray(at) AS quarters, groupArray(amount) AS amounts
        FROM (SELECT log_id AS log, intDiv(toUnixTimestamp(quarter), 900) AS at, sum(events) AS amount
          FROM counts WHERE quarter >= fromUnixTimestamp({from: UInt32})
            AND log_id IN {logs: Array(UInt32)}
          GROUP BY log, at HAVING amount > 0 ORDER BY log, at)
        GROUP BY log`,
      params: {
        from: (now - LEARNED_QUARTERS) * QUARTER_S,
        logs: logs.slice(at, at + LOGS_AT_ONCE),
      },
    })
    for (const { log, quarters, amounts } of rows)
      yield [Number(log), { quarters: quarters.map(Number), events: amounts.map(Number) }]
  }
}
