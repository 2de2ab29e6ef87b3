// Native block of the table `idempotency`: one row a stored request that carried an Idempotency-Key
// (decision 2.7).
import { IDEMPOTENCY_COLUMNS } from '../../../schemas/store/tables.ts'
import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import { Uint16Column, Uint32Column, Uint64Column } from '../native/fixed-column.ts'
import { writeNativeBlock } from '../native/native-block.ts'
import type { RequestKey } from './idempotency-window.ts'

export function writeIdempotencyBlock(keys: readonly RequestKey[], partition: number): Uint8Array {
  const partitions = new Uint16Column()
  const hashes = new ByteBuffer()
  const offsets = new Uint64Column()
  const requests = new Uint32Column()
  const received = new Uint64Column()
  for (const key of keys) {
    partitions.append(partition)
    hashes.writeBytes(Buffer.from(key.identity, 'latin1'))
    offsets.append(key.offset)
    requests.append(key.request)
    received.append(key.receivedMs)
  }
  const writers = {
    partition: (out: ByteBuffer) => partitions.write(out),
    key_hash: (out: ByteBuffer) => out.writeBuffer(hashes),
    offset: (out: ByteBuffer) => offsets.write(out),
    request: (out: ByteBuffer) => requests.write(out),
    received: (out: ByteBuffer) => received.write(out),
  }
  const out = new ByteBuffer()
  writeNativeBlock(
    out,
    keys.length,
    IDEMPOTENCY_COLUMNS.map(({ name, type }) => ({ name, type, write: writers[name] })),
  )
  return out.bytes.subarray(0, out.length)
}
