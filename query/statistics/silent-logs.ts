// Logs that fell silent: they received events steadily, and then nothing for far longer than they
// ever paused. From the counters of the store alone.
import type { LogRecord } from '../../infra/metastore/tree/port.ts'
import { logPathKey, SYSTEM_FOLDER } from '../../schemas/names/log-path.ts'
import type { Ask } from './collected-logs.ts'

const QUARTER_SECONDS = 900
/** What is looked at. */
const DAYS = 8
/** A log that was seen in fewer quarters of an hour has no habit yet. */
const LEAST_QUARTERS = 12
const TIMES_LONGEST_PAUSE = 3
const LEAST_SILENT_SECONDS = 3600

export type SilentLog = {
  readonly log: string
  /** End of the last quarter of an hour with an event. */
  readonly lastMs: number
  readonly longestPauseMs: number
}

/** Of the given logs without those of the folder System; longest silence first. */
export async function findSilentLogs(
  ask: Ask,
  logs: readonly LogRecord[],
  nowMs: number,
): Promise<readonly SilentLog[]> {
  const byId = new Map(logs.filter((it) => it.folder[0] !== SYSTEM_FOLDER).map((it) => [it.id, it]))
  const nowSeconds = Math.floor(nowMs / 1000)
  const rows = await ask<{ log: string | number; last: number; pause: number }>({
    sql: `SELECT log, quarters[-1] + {quarter: UInt32} AS last,
        arrayMax(arrayDifference(quarters)) AS pause
      FROM (SELECT log_id AS log, arraySort(groupUniqArray(toUnixTimestamp(quarter))) AS quarters
        FROM counts WHERE quarter >= fromUnixTimestamp({from: UInt32}) AND events > 0
        GROUP BY log_id)
      WHERE length(quarters) >= {least: UInt32}
        AND toInt64({now: UInt32}) - last > greatest({shortest: UInt32}, pause * {times: UInt32})
      ORDER BY last, log`,
    params: {
      from: nowSeconds - DAYS * 86_400,
      now: nowSeconds,
      quarter: QUARTER_SECONDS,
      least: LEAST_QUARTERS,
      shortest: LEAST_SILENT_SECONDS,
      times: TIMES_LONGEST_PAUSE,
    },
  })
  return rows.flatMap((row) => {
    const log = byId.get(Number(row.log))
    if (log === undefined) return []
    const [lastMs, longestPauseMs] = [Number(row.last) * 1000, Number(row.pause) * 1000]
    return [{ log: logPathKey(log.folder, log.name), lastMs, longestPauseMs }]
  })
}
