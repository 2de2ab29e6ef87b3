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
/** Logs that have received nothing at all are not in it. Without totals, which need the counters of
 *  all times, nor are those that received nothing in the frame; `bytes` and `lastQuarter` are 0. */
export async function readReceipts(
  ask: Ask,
  frame: TimeWindow,
  { withTotals }: { readonly withTotals: boolean },
): Promise<ReadonlyMap<number, LogReceipt>> {
  const collected = await readCollected(ask, frame)
  const none = { isCollected: true, bytes: 0, lastQuarter: 0 }
  const receipts = new Map<number, LogReceipt>()
  for (const log of collected) receipts.set(log, none)
  if (!withTotals) return receipts
  const totals = await ask<Record<'log' | 'bytes' | 'last', string | number>>({
    sql: `SELECT log_id AS log, sum(bytes) AS bytes, toUnixTimestamp(max(quarter)) AS last
      FROM counts GROUP BY log_id`,
    params: {},
  })
  const goneBytes = await readGone(ask)
  for (const row of totals) {
    const log = Number(row.log)
    const bytes = Math.max(0, Number(row.bytes) - (goneBytes.get(log) ?? 0))
    receipts.set(log, { isCollected: collected.has(log), bytes, lastQuarter: Number(row.last) })
  }
  return receipts
}

type Part = { readonly part: number; readonly logs: readonly (string | number)[] }

/** One row a part, with its logs in an array: ten thousand rows take the store longer to send than
 *  to find. */
async function readCollected(ask: Ask, frame: TimeWindow): Promise<ReadonlySet<number>> {
  const startMs = Math.max(0, frame.startMs ?? 0)
  const endMs = Math.min(NEVER_MS, frame.endMs ?? NEVER_MS)
  const fromMs = Math.min(Math.ceil(startMs / QUARTER_MS) * QUARTER_MS, endMs)
  const toMs = Math.max(Math.floor(endMs / QUARTER_MS) * QUARTER_MS, fromMs)
  const ends = raggedEnds({ startMs, fromMs, toMs, endMs })
  // The whole quarters first, then the quarters of which the ends are a part.
  const parts = [
    { from: Math.floor(fromMs / 1000), to: Math.floor(toMs / 1000) },
    ...ends.map(([from]) => ({ from: quarterOf(from), to: quarterOf(from) + QUARTER_MS / 1000 })),
  ]
  const selects = parts.map(
    (
      _,
      part,
    ) => `SELECT ${part} AS part, groupArray(log) AS logs FROM (SELECT log_id AS log FROM counts
      WHERE quarter >= toDateTime({from${part}: UInt32}, 'UTC') AND quarter < toDateTime({to${part}: UInt32}, 'UTC')
        AND events > 0 GROUP BY log_id)`,
  )
  const rows = await ask<Part>({
    sql: selects.join(' UNION ALL '),
    params: Object.fromEntries(
      parts.flatMap(({ from, to }, part) => [
        [`from${part}`, from],
        [`to${part}`, to],
      ]),
    ),
  })
  const logsOf = (part: number) => (rows.find((row) => row.part === part)?.logs ?? []).map(Number)
  const collected = new Set(logsOf(0))
  for (const [end, [from, to]] of ends.entries()) {
    // Whether a log that the whole quarters do not show received something in a part of one.
    const open = logsOf(end + 1).filter((log) => !collected.has(log))
    if (open.length === 0) continue
    for (const row of await ask<{ log: string | number }>({
      sql: `SELECT DISTINCT log_id AS log FROM events
        WHERE received >= fromUnixTimestamp64Milli({from: Int64}) AND received < fromUnixTimestamp64Milli({to: Int64})
          AND log_id IN {open: Array(UInt32)}`,
      params: { from, to, open },
    }))
      collected.add(Number(row.log))
  }
  return collected
}

/** Bytes that are no longer held, by log. */
async function readGone(ask: Ask): Promise<ReadonlyMap<number, number>> {
  const gone = await ask<Record<'log' | 'bytes', string | number>>({
    sql: 'SELECT log_id AS log, sum(bytes) AS bytes FROM gone FINAL GROUP BY log_id',
    params: {},
  })
  return new Map(gone.map((row) => [Number(row.log), Number(row.bytes)]))
}

/** Start of the quarter, in seconds. */
function quarterOf(ms: number): number {
  return (Math.floor(ms / QUARTER_MS) * QUARTER_MS) / 1000
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
