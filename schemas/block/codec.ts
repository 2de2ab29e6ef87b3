// The wire form of a block: a version byte, the CRC-32C of all that follows (little-endian; version
// 1 had none), and Avro, one schema. A reader refuses what it does not know instead of misreading
// it, and tells what is newer than itself from damage.
import avro from 'avsc'
import { Failure } from '../failures.ts'
import { crc32c } from './crc32c.ts'
import { type Block, type BlockRequest, REJECTION_CODES, type Rejection } from './schema.ts'

const VERSION = 2
const UNSUMMED_VERSION = 1
/** Versions to come are numbers up to this one. A higher first byte, or 0, is no version: the bytes
 *  are damaged. */
const LAST_VERSION = 31
const HEAD_BYTES = 5

/** Published: what a block is in the event log. */
export const BLOCK_SCHEMA = {
  type: 'record',
  name: 'Block',
  namespace: 'logeye',
  fields: [
    { name: 'listener', type: 'string' },
    { name: 'sequence', type: 'long' },
    {
      name: 'requests',
      type: {
        type: 'array',
        items: {
          type: 'record',
          name: 'Request',
          fields: [
            { name: 'accountId', type: 'long' },
            { name: 'accountVersion', type: 'long' },
            { name: 'receivedMs', type: 'long' },
            { name: 'hostName', type: 'string' },
            { name: 'peer', type: 'string' },
            { name: 'idempotencyKey', type: 'string' },
            { name: 'body', type: 'bytes' },
            // Pairs start, end as unsigned 32-bit little-endian.
            { name: 'ranges', type: 'bytes' },
            {
              name: 'rejections',
              type: {
                type: 'array',
                items: {
                  type: 'record',
                  name: 'Rejection',
                  fields: [
                    { name: 'index', type: 'long' },
                    {
                      name: 'code',
                      type: { type: 'enum', name: 'Code', symbols: [...REJECTION_CODES] },
                    },
                    { name: 'start', type: 'long' },
                    { name: 'end', type: 'long' },
                  ],
                },
              },
            },
          ],
        },
      },
    },
  ],
} as const

type WireRequest = Omit<BlockRequest, 'body' | 'ranges'> & { body: Buffer; ranges: Buffer }
type WireBlock = { listener: string; sequence: number; requests: WireRequest[] }

const blockType = avro.Type.forSchema(BLOCK_SCHEMA as unknown as avro.Schema)

export function encodeBlock(block: Block): Buffer {
  const wire: WireBlock = {
    listener: block.listener,
    sequence: block.sequence,
    requests: block.requests.map(toWire),
  }
  // Sized before: avsc encodes twice when its guess is too small, and a block is mostly bodies.
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + maxWireBytes(wire))
  const end = blockType.encode(wire, bytes, HEAD_BYTES)
  if (end < 0) throw new Error('a block was larger than computed')
  bytes[0] = VERSION
  bytes.writeUInt32LE(crc32c([bytes.subarray(HEAD_BYTES, end)]), 1)
  return bytes.subarray(0, end)
}

/** Bodies in the result are slices of `bytes`, which must stay unchanged. Fails with
 *  event_log.later_block for a version that this program does not know, else with
 *  event_log.damaged_block on anything that is not a whole block. */
export function decodeBlock(bytes: Uint8Array): Block {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = buffer[0] ?? 0
  if (version > VERSION && version <= LAST_VERSION)
    throw new Failure('event_log.later_block', { version })
  if (version === UNSUMMED_VERSION) return decodeFrom(buffer, 1)
  if (version !== VERSION || buffer.length < HEAD_BYTES)
    throw new Failure('event_log.damaged_block')
  if (crc32c([buffer.subarray(HEAD_BYTES)]) !== buffer.readUInt32LE(1))
    throw new Failure('event_log.damaged_block')
  return decodeFrom(buffer, HEAD_BYTES)
}

function decodeFrom(buffer: Buffer, from: number): Block {
  const wire = decodeWire(buffer, from)
  return {
    listener: wire.listener,
    sequence: wire.sequence,
    requests: wire.requests.map(fromWire),
  }
}

function decodeWire(buffer: Buffer, from: number): WireBlock {
  try {
    const { value, offset } = blockType.decode(buffer, from)
    if (offset !== buffer.length) throw new Error('a torn block')
    return value
  } catch (error) {
    throw new Failure('event_log.damaged_block', {}, error)
  }
}

function toWire(request: BlockRequest): WireRequest {
  const { body, ranges } = request
  return {
    accountId: request.accountId,
    accountVersion: request.accountVersion,
    receivedMs: request.receivedMs,
    hostName: request.hostName,
    peer: request.peer,
    idempotencyKey: request.idempotencyKey,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    // The memory of a Uint32Array is little-endian on every platform that Node runs on here.
    ranges: Buffer.from(ranges.buffer, ranges.byteOffset, ranges.byteLength),
    rejections: request.rejections,
  }
}

function fromWire(wire: WireRequest): BlockRequest {
  const ranges = new Uint32Array(wire.ranges.length / 4)
  Buffer.from(ranges.buffer).set(wire.ranges)
  return {
    accountId: wire.accountId,
    accountVersion: wire.accountVersion,
    receivedMs: wire.receivedMs,
    hostName: wire.hostName,
    peer: wire.peer,
    idempotencyKey: wire.idempotencyKey,
    body: wire.body,
    ranges,
    rejections: wire.rejections.map(
      (rejection): Rejection => ({
        index: rejection.index,
        code: rejection.code,
        start: rejection.start,
        end: rejection.end,
      }),
    ),
  }
}

const MAX_LONG_BYTES = 10
const REQUEST_FIXED_BYTES = 16 * MAX_LONG_BYTES
const REJECTION_BYTES = 4 * MAX_LONG_BYTES

function maxWireBytes(block: WireBlock): number {
  let bytes = 4 * MAX_LONG_BYTES + 3 * block.listener.length
  for (const request of block.requests) {
    bytes +=
      REQUEST_FIXED_BYTES +
      3 * (request.hostName.length + request.peer.length + request.idempotencyKey.length) +
      request.body.length +
      request.ranges.length +
      request.rejections.length * REJECTION_BYTES
  }
  return bytes
}
