// The bytes of one Produce request (version 7, acks=all) with one batch for one partition. The
// blocks themselves are not copied: the client's own encoder copies each nine times into buffers
// that it clears first, which cost more than everything else that a listener does.
import { crc32c } from '../../../schemas/block/crc32c.ts'

const PRODUCE = 0
/** Brokers from 2.1 on. */
export const PRODUCE_VERSION = 7
const ALL = -1
const MAGIC = 2
/** Size, key, version, correlation id; no transaction, acks, time limit, one topic, one partition
 *  and its number, size of the batch. */
const REQUEST_BYTES = 4 + 2 + 2 + 4 + 2 + 2 + 4 + 4 + 4 + 4 + 4
const BATCH_BYTES = 61
/** Head of the batch, before the part that its checksum covers: offset, length, leader's epoch,
 *  magic, checksum. */
const UNSUMMED_BYTES = 21
/** Head of the batch, before the part that its length counts: offset, length. */
const UNCOUNTED_BYTES = 12
/** Length, attributes, time, offset, no key, length of the value; after it no headers. */
const RECORD_BYTES = 5 + 1 + 1 + 5 + 1 + 5
const MAX_VARINT = 2 ** 30

export type ProduceRequest = {
  readonly correlationId: number
  readonly clientId: string
  readonly topic: string
  readonly partition: number
  /** For the replicas. */
  readonly timeoutMs: number
  readonly timestampMs: number
  readonly blocks: readonly Buffer[]
}

/** To be written one after the other. */
export function encodeProduce(request: ProduceRequest): Buffer[] {
  const { clientId, topic, blocks } = request
  const names = 4 + Buffer.byteLength(clientId) + Buffer.byteLength(topic)
  const glue = Buffer.allocUnsafe(
    REQUEST_BYTES + names + BATCH_BYTES + blocks.length * (RECORD_BYTES + 1),
  )
  const batchAt = REQUEST_BYTES + names
  const parts: Buffer[] = []
  let from = 0
  let at = batchAt + BATCH_BYTES
  let valueBytes = 0
  blocks.forEach((block, index) => {
    at = writeRecordHead(glue, at, index, block.length)
    parts.push(glue.subarray(from, at), block)
    from = at
    // No headers.
    at = glue.writeUInt8(0, at)
    valueBytes += block.length
  })
  parts.push(glue.subarray(from, at))
  const batchBytes = at - batchAt + valueBytes
  writeBatchHead(glue, batchAt, batchBytes, request)
  writeRequestHead(glue, batchBytes, request)
  const [first = glue, ...others] = parts
  const summed = [first.subarray(batchAt + UNSUMMED_BYTES), ...others]
  glue.writeUInt32BE(crc32c(summed), batchAt + UNSUMMED_BYTES - 4)
  return parts
}

function writeRequestHead(glue: Buffer, batchBytes: number, request: ProduceRequest): void {
  const { correlationId, clientId, topic, partition, timeoutMs } = request
  let at = 4
  at = glue.writeInt16BE(PRODUCE, at)
  at = glue.writeInt16BE(PRODUCE_VERSION, at)
  at = glue.writeInt32BE(correlationId, at)
  at = writeText(glue, at, clientId)
  // No transaction.
  at = glue.writeInt16BE(-1, at)
  at = glue.writeInt16BE(ALL, at)
  at = glue.writeInt32BE(timeoutMs, at)
  at = glue.writeInt32BE(1, at)
  at = writeText(glue, at, topic)
  at = glue.writeInt32BE(1, at)
  at = glue.writeInt32BE(partition, at)
  at = glue.writeInt32BE(batchBytes, at)
  glue.writeInt32BE(at + batchBytes - 4, 0)
}

function writeBatchHead(
  glue: Buffer,
  from: number,
  bytes: number,
  { timestampMs, blocks }: ProduceRequest,
): void {
  let at = glue.writeBigInt64BE(0n, from)
  at = glue.writeInt32BE(bytes - UNCOUNTED_BYTES, at)
  // The leader's epoch is the broker's to write.
  at = glue.writeInt32BE(-1, at)
  at = glue.writeInt8(MAGIC, at)
  // The checksum comes last, and there are no attributes.
  at = glue.writeInt16BE(0, at + 4)
  at = glue.writeInt32BE(blocks.length - 1, at)
  at = glue.writeBigInt64BE(BigInt(timestampMs), at)
  at = glue.writeBigInt64BE(BigInt(timestampMs), at)
  // No idempotent producer: neither its id nor epoch nor sequence.
  at = glue.writeBigInt64BE(-1n, at)
  at = glue.writeInt16BE(-1, at)
  at = glue.writeInt32BE(-1, at)
  glue.writeInt32BE(blocks.length, at)
}

function writeRecordHead(glue: Buffer, from: number, index: number, valueBytes: number): number {
  // Attributes, time, offset, key, length of the value, value, headers.
  const bytes = 1 + 1 + sizeOf(index) + 1 + sizeOf(valueBytes) + valueBytes + 1
  let at = writeVarint(glue, from, bytes)
  at = glue.writeUInt8(0, at)
  at = glue.writeUInt8(0, at)
  at = writeVarint(glue, at, index)
  // -1: no key.
  at = glue.writeUInt8(1, at)
  return writeVarint(glue, at, valueBytes)
}

/** For numbers from 0 on; the protocol's zigzag form doubles them. */
function writeVarint(glue: Buffer, from: number, value: number): number {
  if (value >= MAX_VARINT) throw new RangeError('a block is too large for a record')
  let at = from
  let left = value * 2
  for (; left > 127; left >>>= 7) at = glue.writeUInt8((left & 127) | 128, at)
  return glue.writeUInt8(left, at)
}

function sizeOf(value: number): number {
  let bytes = 1
  for (let left = value * 2; left > 127; left >>>= 7) bytes += 1
  return bytes
}

function writeText(glue: Buffer, from: number, text: string): number {
  const at = glue.writeInt16BE(Buffer.byteLength(text), from)
  return at + glue.write(text, at)
}
