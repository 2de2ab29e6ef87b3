// Rows as a day of 10,000 logs would have left them, made by the store itself.
import type { Store } from '../../infra/store/port.ts'

type Into = { readonly store: Store; readonly logIds: readonly number[]; readonly nowMs: number }

const EVENTS_A_QUARTER = 12
const BYTES_AN_EVENT = 300
const QUARTERS = 96
const QUARTER_MS = 900_000
const PIECE = 250_000

/** Counters of the last day. Gives the number of events that they count. */
export async function loadCounts({ store, logIds, nowMs }: Into): Promise<number> {
  const first = Math.floor(nowMs / QUARTER_MS) - QUARTERS
  await store.command({
    sql: `INSERT INTO counts (policy, quarter, event_quarter, log_id, host, source, partition, events, bytes, upto)
      SELECT 1, at, at, log, 'web-01', 'Default', 0, ${EVENTS_A_QUARTER}, ${EVENTS_A_QUARTER * BYTES_AN_EVENT}, 1 FROM
        (SELECT toDateTime((${first} + number) * 900, 'UTC') AS at FROM numbers(${QUARTERS}))
        ARRAY JOIN {logs: Array(UInt32)} AS log`,
    params: { logs: logIds },
  })
  return logIds.length * QUARTERS * EVENTS_A_QUARTER
}

/** Events of the last half hour, fewer than `upTo` where `forMs` is over. Gives their number. */
export async function loadEvents(
  { store, logIds, nowMs }: Into,
  { upTo, forMs }: { readonly upTo: number; readonly forMs: number },
): Promise<number> {
  const endMs = performance.now() + forMs
  let loaded = 0
  while (loaded < upTo && performance.now() < endMs) {
    await store.command({
      sql: `INSERT INTO events (policy, log_id, timestamp, received, host, source, message, size, partition, offset, index)
        SELECT 1, {first: UInt32} + rand(2) % {logs: UInt32}, at, at, 'web-01', 'Default',
          concat('request ', toString(number), ' took long'), ${BYTES_AN_EVENT}, 0, {from: UInt64} + number, 0 FROM
        (SELECT number, fromUnixTimestamp64Milli(toInt64({now: UInt64} - rand(1) % 1800000)) AS at FROM numbers(${PIECE}))`,
      params: { first: logIds[0] ?? 0, logs: logIds.length, now: nowMs, from: loaded },
    })
    loaded += PIECE
  }
  return loaded
}
