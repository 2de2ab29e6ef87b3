// Makes a partition of the embedded log with given blocks and position. Only while no process has
// the log open, and where there is none.
import { mkdir } from 'node:fs/promises'
import { Failure } from '../../../schemas/failures.ts'
import { asBuffer } from '../../as-buffer.ts'
import type { LoggedBlock, Position } from '../port.ts'
import { Environment } from './environment.ts'
import { type PartitionPlace, pathOf } from './generations.ts'

const WRITE_BYTES = 8 * 1024 * 1024

/** `blocks`: all from `position.next` up to `end`, in order. Fails with event_log.full, and with
 *  event_log.damaged when one is missing. */
export async function fillPartition(
  place: PartitionPlace,
  { position, end }: { readonly position: Position; readonly end: number },
  blocks: readonly LoggedBlock[] | AsyncIterable<LoggedBlock>,
): Promise<void> {
  const path = pathOf(place, 0)
  await mkdir(path, { recursive: true })
  const environment = new Environment(path, place.maxBytes)
  try {
    let expected = position.next
    let bytes = 0
    let waiting: LoggedBlock[] = []
    let waitingBytes = 0
    const flush = async () => {
      const now = waiting
      waiting = []
      waitingBytes = 0
      await environment.write(() => {
        for (const block of now) void environment.database.put(block.offset, asBuffer(block.bytes))
      })
    }
    for await (const block of blocks) {
      if (block.offset !== expected) break
      expected += 1
      waiting.push(block)
      waitingBytes += block.bytes.length
      bytes += block.bytes.length
      if (waitingBytes >= WRITE_BYTES) await flush()
    }
    await flush()
    if (expected !== end)
      throw new Failure('event_log.damaged', { reason: `the block ${expected} is missing` })
    await environment.write(() => {
      environment.putState({ end, bytes, isSealed: false })
      environment.putPosition(position)
    })
  } finally {
    await environment.retire()
  }
}
