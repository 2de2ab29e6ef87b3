// Blocks of the event log in one file: for each its partition, offset, length and bytes. The
// manifest has its digest.
import { open } from 'node:fs/promises'
import { Failure } from '../../schemas/failures.ts'
import type { EventLog, LoggedBlock, Position } from '../event-log/port.ts'
import { BLOCKS_FILE } from './backup-layout.ts'

const HEAD_BYTES = 2 + 8 + 4
const READ_BYTES = 8 * 1024 * 1024

export type KeptPartition = Position & { readonly end: number }
export type KeptBlock = LoggedBlock & { readonly partition: number }

/** What is not stored, while no writer moves the position. Flushed when it resolves. */
export async function writeBlockFile(path: string, eventLog: EventLog): Promise<KeptPartition[]> {
  const file = await open(path, 'wx', 0o600)
  const partitions: KeptPartition[] = []
  try {
    for (let partition = 0; partition < eventLog.partitions; partition += 1) {
      // A change of the log comes first: after it reads see every block that was acknowledged
      // (decision 0035).
      const position = await eventLog.position(partition, { isExact: true })
      const { end } = await eventLog.status(partition)
      partitions.push({ ...position, end })
      for (let from = position.next; from < end; ) {
        const options = { maxBytes: READ_BYTES, waitMs: 0 }
        const blocks = await eventLog.read(partition, from, options)
        if (blocks.length === 0) throw new Failure('event_log.unavailable')
        for (const block of blocks.filter(({ offset }) => offset < end)) {
          await file.write(headOf({ ...block, partition }))
          await file.write(block.bytes)
        }
        from = (blocks.at(-1)?.offset ?? from) + 1
      }
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return partitions
}

function headOf({ partition, offset, bytes }: KeptBlock): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16LE(partition, 0)
  head.writeBigUInt64LE(BigInt(offset), 2)
  head.writeUInt32LE(bytes.length, 10)
  return head
}

/** Fails with backup.damaged. */
export async function* readBlockFile(path: string): AsyncGenerator<KeptBlock> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES)
      if (bytesRead === 0) return
      const bytes = Buffer.alloc(bytesRead === HEAD_BYTES ? head.readUInt32LE(10) : 0)
      const body = await file.read(bytes, 0, bytes.length)
      if (bytesRead < HEAD_BYTES || body.bytesRead < bytes.length)
        throw new Failure('backup.damaged', { reason: `its file ${BLOCKS_FILE} ends too early` })
      const offset = Number(head.readBigUInt64LE(2))
      yield { partition: head.readUInt16LE(0), offset, bytes }
    }
  } finally {
    await file.close()
  }
}
