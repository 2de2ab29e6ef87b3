// The wire form of a block: a version byte, a CRC-32C (little-endian; version 1 had none), and
// Avro. A reader refuses what it does not know instead of misreading it, and tells what is newer
// than itself from damage.
import avro from 'avsc'
import { Failure } from '../failures.ts'
import { BLOCK_SCHEMA_2, BLOCK_SCHEMA_3 } from './avro-schema.ts'
import { crc32c } from './crc32c.ts'
import {
  type Block,
  type BlockRequest,
  type EventOrigins,
  LOGGER_FORM,
  type Rejection,
} from './schema.ts'

const UNSUMMED_VERSION = 1
/** Of requests of logger.jsp alone: programs of before version 3 read them. */
const PLAIN_VERSION = 2
const VERSION = 3
/** Versions to come are numbers up to this one. A higher first byte, or 0, is no version: the bytes
 *  are damaged. */
const LAST_VERSION = 31
const HEAD_BYTES = 5

type WireOrigins = { places: EventOrigins['places']; placeOf: Buffer; times: Buffer }
type WireRequest = Omit<BlockRequest, 'body' | 'ranges' | 'form' | 'origins'> & {
  body: Buffer
  ranges: Buffer
}
type WireRequest3 = WireRequest & WireOrigins & { form: string }
type WireBlock = { listener: string; sequence: number; requests: (WireRequest | WireRequest3)[] }

const plainType = avro.Type.forSchema(BLOCK_SCHEMA_2 as unknown as avro.Schema)
const blockType = avro.Type.forSchema(BLOCK_SCHEMA_3 as unknown as avro.Schema)

export function encodeBlock(block: Block): Buffer {
  const isPlain = block.requests.every(isPlainRequest)
  const wire: WireBlock = {
    listener: block.listener,
    sequence: block.sequence,
    requests: block.requests.map(isPlain ? toWire : toWire3),
  }
  // Sized before: avsc encodes twice when its guess is too small, and a block is mostly bodies.
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + maxWireBytes(wire))
  const end = (isPlain ? plainType : blockType).encode(wire, bytes, HEAD_BYTES)
  if (end < 0) throw new Error('a block was larger than computed')
  bytes[0] = isPlain ? PLAIN_VERSION : VERSION
  const written = bytes.subarray(0, end)
  bytes.writeUInt32LE(sumOf(written), 1)
  return written
}

/** From version 3 on of the version byte, too: one flipped bit makes 3 of 2. */
function sumOf(block: Buffer): number {
  const content = block.subarray(HEAD_BYTES)
  return crc32c(block[0] === PLAIN_VERSION ? [content] : [block.subarray(0, 1), content])
}

function isPlainRequest({ form, origins }: BlockRequest): boolean {
  return form === LOGGER_FORM && origins === undefined
}

/** Bodies in the result are slices of `bytes`, which must stay unchanged. Fails with
 *  event_log.later_block for a version that this program does not know, else with
 *  event_log.damaged_block on anything that is not a whole block. */
export function decodeBlock(bytes: Uint8Array): Block {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = buffer[0] ?? 0
  if (version > VERSION && version <= LAST_VERSION)
    throw new Failure('event_log.later_block', { version })
  if (version === UNSUMMED_VERSION) return decodeFrom(plainType, buffer, 1)
  const isKnown = version === PLAIN_VERSION || version === VERSION
  if (!isKnown || buffer.length < HEAD_BYTES) throw new Failure('event_log.damaged_block')
  if (sumOf(buffer) !== buffer.readUInt32LE(1)) throw new Failure('event_log.damaged_block')
  return decodeFrom(version === PLAIN_VERSION ? plainType : blockType, buffer, HEAD_BYTES)
}

function decodeFrom(type: avro.Type, buffer: Buffer, from: number): Block {
  const wire = decodeWire(type, buffer, from)
  return {
    listener: wire.listener,
    sequence: wire.sequence,
    requests: wire.requests.map(fromWire),
  }
}

function decodeWire(type: avro.Type, buffer: Buffer, from: number): WireBlock {
  try {
    const { value, offset } = type.decode(buffer, from)
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
    body: bytesOf(body),
    ranges: bytesOf(ranges),
    rejections: request.rejections,
  }
}

function toWire3(request: BlockRequest): WireRequest3 {
  const { form, origins } = request
  return {
    ...toWire(request),
    form,
    places: origins?.places ?? [],
    placeOf: bytesOf(origins?.placeOf ?? new Uint32Array()),
    times: bytesOf(origins?.times ?? new Float64Array()),
  }
}

/** The memory of typed arrays is little-endian on every platform that Node runs on here. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function fromWire(wire: WireRequest | WireRequest3): BlockRequest {
  const ranges = new Uint32Array(wire.ranges.length / 4)
  bytesOf(ranges).set(wire.ranges)
  return {
    accountId: wire.accountId,
    accountVersion: wire.accountVersion,
    receivedMs: wire.receivedMs,
    hostName: wire.hostName,
    peer: wire.peer,
    idempotencyKey: wire.idempotencyKey,
    form: 'form' in wire ? wire.form : LOGGER_FORM,
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
    ...('form' in wire && wire.placeOf.length > 0 ? { origins: originsOf(wire) } : {}),
  }
}

function originsOf(wire: WireOrigins): EventOrigins {
  const placeOf = new Uint32Array(Math.floor(wire.placeOf.length / 4))
  bytesOf(placeOf).set(wire.placeOf.subarray(0, placeOf.byteLength))
  const times = new Float64Array(Math.floor(wire.times.length / 8))
  bytesOf(times).set(wire.times.subarray(0, times.byteLength))
  const places = wire.places.map(({ host, source }) => ({ host, source }))
  return { places, placeOf, times }
}

const MAX_LONG_BYTES = 10
const REQUEST_FIXED_BYTES = 16 * MAX_LONG_BYTES
const REJECTION_BYTES = 4 * MAX_LONG_BYTES
const ORIGINS_FIXED_BYTES = 6 * MAX_LONG_BYTES

function maxWireBytes(block: WireBlock): number {
  let bytes = 4 * MAX_LONG_BYTES + 3 * block.listener.length
  for (const request of block.requests) {
    bytes +=
      REQUEST_FIXED_BYTES +
      3 * (request.hostName.length + request.peer.length + request.idempotencyKey.length) +
      request.body.length +
      request.ranges.length +
      request.rejections.length * REJECTION_BYTES
    if ('form' in request) bytes += maxOriginBytes(request)
  }
  return bytes
}

function maxOriginBytes({ form, places, placeOf, times }: WireRequest3): number {
  let bytes = ORIGINS_FIXED_BYTES + 3 * form.length + placeOf.length + times.length
  for (const { host, source } of places)
    bytes += 2 * MAX_LONG_BYTES + 3 * (host.length + source.length)
  return bytes
}
