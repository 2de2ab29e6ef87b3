// How far each partition is committed: every event below is in the store and will not change. For
// readers that must see each event once (live tail, pages): the rows of a batch on its way are seen
// in parts.
import type { EventLog } from '../../infra/event-log/port.ts'
import type { Cursor } from './cursor.ts'
import { parseState } from './position-state.ts'

export async function readArrived(
  eventLog: Pick<EventLog, 'partitions' | 'position'>,
): Promise<Cursor[]> {
  const partitions = Array.from({ length: eventLog.partitions }, (_, partition) => partition)
  return await Promise.all(
    partitions.map(async (partition) => {
      const { next, metadata } = await eventLog.position(partition)
      return { offset: next, index: parseState(metadata)?.index ?? 0 }
    }),
  )
}
