// Our bytes of a Produce request against those of the client's own encoder, which knows the
// protocol.

import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeProduce } from '../../../../infra/event-log/kafka/produce-request.ts'
import { crc32c } from '../../../../schemas/block/crc32c.ts'

const require = createRequire(import.meta.url)
const clientCrc = require('kafkajs/src/protocol/recordBatch/crc32C/index.js')
const clientProduce = require('kafkajs/src/protocol/requests/produce/v7/request.js')
const clientRequest = require('kafkajs/src/protocol/request.js')
const Long = require('kafkajs/src/utils/long.js')

const NOW_MS = 1_795_000_000_123

/** What the client sends; its idempotent fields and leader's epoch are 0 where ours are -1, so that
 *  is made equal. */
async function byClient(request: Parameters<typeof encodeProduce>[0]): Promise<Buffer> {
  const { correlationId, clientId, topic, partition, timeoutMs, timestampMs, blocks } = request
  const messages = blocks.map((value) => ({ key: null, value, timestamp: timestampMs }))
  const partitions = [{ partition, firstSequence: -1, messages }]
  const encoded = await clientRequest({
    correlationId,
    clientId,
    request: clientProduce({
      acks: -1,
      timeout: timeoutMs,
      producerId: Long.fromInt(-1),
      producerEpoch: -1,
      topicData: [{ topic, partitions }],
    }),
  })
  return encoded.buffer
}

/** The leader's epoch, which no checksum covers. */
function withoutEpoch(
  bytes: Buffer,
  { clientId, topic }: { clientId: string; topic: string },
): Buffer {
  const at = 40 + Buffer.byteLength(clientId) + Buffer.byteLength(topic) + 12
  const copy = Buffer.from(bytes)
  copy.writeInt32BE(0, at)
  return copy
}

const blocks = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 60, maxLength: 70 }),
    fc.integer({ min: 8100, max: 8300 }).map((length) => new Uint8Array(length).fill(length & 255)),
  ),
  { minLength: 1, maxLength: 70 },
)

it('is what the client itself would send', async () => {
  await fc.assert(
    fc.asyncProperty(
      blocks,
      fc.nat({ max: 2 ** 31 - 1 }),
      fc.nat({ max: 1000 }),
      fc.constantFrom('logeye', 't', 'ein-thema'),
      async (made, correlationId, partition, topic) => {
        const request = {
          correlationId,
          clientId: 'logeye',
          topic,
          partition,
          timeoutMs: 5000,
          timestampMs: NOW_MS,
          blocks: made.map((bytes) => Buffer.from(bytes)),
        }
        const ours = Buffer.concat(encodeProduce(request))
        const theirs = await byClient(request)
        expect(withoutEpoch(ours, request).equals(withoutEpoch(theirs, request))).toBe(true)
      },
    ),
    { seed: 1, numRuns: 60 },
  )
})

it('holds a block of many megabytes without a copy of it', () => {
  const block = Buffer.alloc(20_000_000, 7)
  const parts = encodeProduce({
    correlationId: 1,
    clientId: 'logeye',
    topic: 'logeye',
    partition: 0,
    timeoutMs: 5000,
    timestampMs: NOW_MS,
    blocks: [block],
  })
  expect(parts.filter((part) => part.length > 1000).every((part) => part === block)).toBe(true)
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  expect(parts[0]?.readInt32BE(0)).toBe(bytes - 4)
})

it('has the checksum of the protocol, however the bytes are cut and wherever they lie in memory', () => {
  // The check value of the polynomial (RFC 3720, B.4, and every catalogue of checksums).
  expect(crc32c([Buffer.from('123456789')])).toBe(0xe3069283)
  expect(crc32c([new Uint8Array(32)])).toBe(0x8a9136aa)
  expect(crc32c([])).toBe(0)
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat({ max: 7 }),
      fc.nat({ max: 200 }),
      (bytes, offset, cut) => {
        const moved = new Uint8Array(offset + bytes.length)
        moved.set(bytes, offset)
        const seen = moved.subarray(offset)
        const expected = clientCrc(Buffer.from(bytes))
        expect(crc32c([seen])).toBe(expected)
        expect(crc32c([seen.subarray(0, cut), seen.subarray(cut)])).toBe(expected)
      },
    ),
    { seed: 1, numRuns: 300 },
  )
})
