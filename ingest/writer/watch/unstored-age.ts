// How old the oldest event is that is not stored: of the first block after the position.
import type { EventLog } from '../../../infra/event-log/port.ts'
import { decodeBlock } from '../../../schemas/block/codec.ts'

/** Seconds; 0 when nothing waits. Of a block that cannot be read nothing is known: undefined. */
export async function readUnstoredAge(
  eventLog: Pick<EventLog, 'read'>,
  partition: number,
  next: number,
  nowMs: number,
): Promise<number | undefined> {
  const [first] = await eventLog.read(partition, next, { maxBytes: 1, waitMs: 0 })
  if (first === undefined) return 0
  try {
    const { requests } = decodeBlock(first.bytes)
    const receivedMs = Math.min(...requests.map((request) => request.receivedMs))
    return Number.isFinite(receivedMs) ? Math.max(0, nowMs - receivedMs) / 1000 : undefined
  } catch {
    return undefined
  }
}
