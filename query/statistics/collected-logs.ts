// What each log received, by the counters of the store: whole quarters of an hour from them, the
// ragged ends of a frame from the events themselves (decision 5.1).
import type { TimeWindow } from '../../schemas/time/time-window.ts'

export type LogReceipt = {
  /** In the frame. */
  readonly isCollected: boolean
  /** Bytes that the log holds altogether. */
  readonly bytes: number
  /** Start of the last quarter with an event, in seconds. */
  readonly lastQuarter: number
}

type Statement = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> }
export type Ask = <Row>(statement: Statement) => Promise<Row[]>

const QUARTER_MS = 900_000
/** Further than any event. */
const NEVER_MS = Date.UTC(2100, 0, 1)

/** Logs that have received nothing at all are not in it. */
export async function readReceipts(
  ask: Ask,
  frame: TimeWindow,
): Promise<ReadonlyMap<number, LogReceipt>> {
  const startMs = Math.max(0, frame.startMs ?? 0)
  const endMs = Math.min(NEVER_MS, frame.endMs ?? NEVER_MS)
  const fromMs = Math.min(Math.ceil(startMs / QUARTER_MS) * QUARTER_MS, endMs)
  const toMs = Math.max(Math.floor(endMs / QUARTER_MS) * QUARTER_MS, fromMs)
  const ends = raggedEnds({ startMs, fromMs, toMs, endMs })
  const [early, late] = [ends[0]?.[0], ends.at(-1)?.[0]].map(quarterOf)
  const totals = await ask<
    Record<'log' | 'inFrame' | 'early' | 'late' | 'bytes' | 'last', string | number>
  >({
    sql: `SELECT log_id AS log,
      sumIf(events, toUnixTimestamp(quarter) >= {from: UInt32} AND toUnixTimestamp(quarter) < {to: UInt32}) AS inFrame,
      sumIf(events, toUnixTimestamp(quarter) = {early: UInt32}) AS early, sumIf(events, toUnixTimestamp(quarter) = {late: UInt32}) AS late,
      sum(bytes) AS bytes, toUnixTimestamp(max(quarter)) AS last FROM counts GROUP BY log_id`,
    params: {
      ...{ from: Math.floor(fromMs / 1000), to: Math.floor(toMs / 1000) },
      ...{ early: early ?? 0, late: late ?? 0 },
    },
  })
  const gone = await ask<Record<'log' | 'bytes', string | number>>({
    sql: 'SELECT log_id AS log, sum(bytes) AS bytes FROM gone FINAL GROUP BY log_id',
    params: {},
  })
  const goneBytes = new Map(gone.map((row) => [Number(row.log), Number(row.bytes)]))
  const collected = new Set<number>()
  for (const row of totals) if (Number(row.inFrame) > 0) collected.add(Number(row.log))
  for (const [from, to] of ends) {
    // Whether a log that the whole quarters do not show received something in a part of one.
    const open = totals.filter(
      (row) =>
        !collected.has(Number(row.log)) &&
        Number(quarterOf(from) === early ? row.early : row.late) > 0,
    )
    if (open.length === 0) continue
    for (const row of await ask<{ log: string | number }>({
      sql: `SELECT DISTINCT log_id AS log FROM events
        WHERE received >= fromUnixTimestamp64Milli({from: Int64}) AND received < fromUnixTimestamp64Milli({to: Int64})
          AND log_id IN {open: Array(UInt32)}`,
      params: { from, to, open: open.map(({ log }) => Number(log)) },
    }))
      collected.add(Number(row.log))
  }
  return new Map(
    totals.map((row) => {
      const log = Number(row.log)
      const bytes = Math.max(0, Number(row.bytes) - (goneBytes.get(log) ?? 0))
      return [log, { isCollected: collected.has(log), bytes, lastQuarter: Number(row.last) }]
    }),
  )
}

/** Start of the quarter, in seconds. */
function quarterOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : (Math.floor(ms / QUARTER_MS) * QUARTER_MS) / 1000
}

function raggedEnds(of: {
  startMs: number
  fromMs: number
  toMs: number
  endMs: number
}): (readonly [number, number])[] {
  const { startMs, fromMs, toMs, endMs } = of
  const ends = [
    [startMs, fromMs],
    [toMs, endMs],
  ] as const
  return ends.filter(([from, to]) => from < to)
}
