// Events of a policy in the order in which they arrived, from the store. Bounded by what the writer
// has committed, where nothing changes any more.
import { z } from 'zod'
import type { Store } from '../../infra/store/port.ts'
import { rebuildRaw } from '../../schemas/event-layout.ts'
import { readShownColumns } from '../../schemas/shown-columns.ts'
import type { Cursor, Range } from '../writer/cursor.ts'
import type { ForwardedEvent } from './forwarded-event.ts'

const TIMEOUT_MS = 60_000
const DAY_MS = 86_400_000
const COLUMNS = [
  ...['offset', '`index`', 'toUnixTimestamp64Milli(received)', 'toUnixTimestamp64Nano(timestamp)'],
  ...['log_id', 'host', 'source', 'message', 'layout', 'raw', 'rest', 'names', 'others'],
  ...['id_names', 'ids'],
]
const text = z.string()
const number = z.coerce.number()
const placeSchema = z.tuple([number, number])
const rowSchema = z.tuple([
  ...([number, number, number, text, number, text, text, text, text, text] as const),
  ...([text, text, text, text, text] as const),
])

/** The first event of the policy below `before` that was received at `sinceMs` or later; undefined:
 *  there is none. */
export async function findFirstEvent(
  store: Pick<Store, 'stream'>,
  of: { readonly policyId: number; readonly partition: number; readonly sinceMs: number },
  before: Cursor,
  signal: AbortSignal,
): Promise<Cursor | undefined> {
  const rows = store.stream({
    sql: `SELECT offset, \`index\` FROM events
      WHERE policy = {policy: UInt16} AND partition = {partition: UInt16}
        AND received >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
        AND (offset, \`index\`) < ({to: UInt64}, {toIndex: UInt32})
      ORDER BY offset, \`index\` LIMIT 1`,
    params: {
      ...{ policy: of.policyId, partition: of.partition, since: String(of.sinceMs) },
      ...{ to: String(before.offset), toIndex: before.index },
    },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  for await (const [row] of rows) {
    const [offset, index] = placeSchema.parse(row)
    return { offset, index }
  }
  return undefined
}

/** The first ones of the range, at least one where there is one; `isWhole`: there are no more. */
export async function readEvents(
  store: Pick<Store, 'stream'>,
  of: { readonly policyId: number; readonly partition: number; readonly receivedMs: number },
  range: Range,
  limits: { readonly events: number; readonly bytes: number; readonly signal: AbortSignal },
): Promise<{ readonly events: readonly ForwardedEvent[]; readonly isWhole: boolean }> {
  const { from, to } = range
  const rows = store.stream({
    sql: `SELECT ${COLUMNS.join(', ')} FROM events
      WHERE policy = {policy: UInt16} AND partition = {partition: UInt16}
        AND received >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
        AND offset >= {from: UInt64} AND offset <= {to: UInt64}
        AND (offset, \`index\`) >= ({from: UInt64}, {fromIndex: UInt32})
        AND (offset, \`index\`) < ({to: UInt64}, {toIndex: UInt32})
      ORDER BY offset, \`index\` LIMIT {count: UInt32}`,
    params: {
      ...{ policy: of.policyId, partition: of.partition },
      since: String(Math.max(0, of.receivedMs - DAY_MS)),
      ...{ from: String(from.offset), fromIndex: from.index },
      ...{ to: String(to.offset), toIndex: to.index, count: limits.events + 1 },
    },
    timeoutMs: TIMEOUT_MS,
    signal: limits.signal,
  })
  const events: ForwardedEvent[] = []
  let bytes = 0
  for await (const batch of rows) {
    for (const row of batch) {
      const event = readEvent(row)
      bytes += event.text.length
      const isFull = events.length === limits.events || bytes > limits.bytes
      if (isFull && events.length > 0) return { events, isWhole: false }
      events.push(event)
    }
  }
  return { events, isWhole: true }
}

function readEvent(values: readonly unknown[]): ForwardedEvent {
  const [offset, index, receivedMs, timestampNs, logId, host, source, message, layout, raw, ...of] =
    rowSchema.parse(values)
  const [rest, names, others, idNames, ids] = of
  const columns = readShownColumns({ rest, names, others, idNames, ids })
  const event = rebuildRaw({
    ...{ layout, raw, message, host },
    timestampMs: Number(timestampNs.slice(0, -6)),
    timestampNanos: Number(timestampNs.slice(-6)),
    column: (name) => columns.get(name),
  })
  return { offset, index, receivedMs, timestampNs, logId, host, source, text: event }
}
