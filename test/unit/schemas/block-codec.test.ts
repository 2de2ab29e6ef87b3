import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBlock, encodeBlock } from '../../../schemas/block/codec.ts'
import { type Block, type BlockRequest, REJECTION_CODES } from '../../../schemas/block/schema.ts'

const text = fc.string({ unit: 'grapheme' })
const plainRequest = fc.record({
  accountId: fc.nat(),
  accountVersion: fc.nat(),
  receivedMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  hostName: text,
  peer: fc.ipV6(),
  idempotencyKey: fc.string({ unit: 'binary' }),
  form: fc.constant('logger'),
  body: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
  ranges: fc.uint32Array({ maxLength: 20 }),
  rejections: fc.array(
    fc.record({
      index: fc.nat(),
      code: fc.constantFrom(...REJECTION_CODES),
      start: fc.nat(),
      end: fc.nat(),
    }),
  ),
})
const origins = fc.record({
  places: fc.array(fc.record({ host: text, source: text })),
  placeOf: fc.uint32Array({ minLength: 1, maxLength: 5 }),
  times: fc.float64Array({ maxLength: 5 }),
})
const foreignRequest = fc
  .tuple(plainRequest, fc.option(origins, { nil: undefined }))
  .map(([request, found]) => ({
    ...request,
    form: 'foreign',
    ...(found === undefined ? {} : { origins: found }),
  }))
const plainBlock = blockOf(plainRequest)
const block = blockOf(fc.oneof(plainRequest, foreignRequest))

function blockOf(request: fc.Arbitrary<BlockRequest>): fc.Arbitrary<Block> {
  return fc.record({
    listener: fc.string(),
    sequence: fc.nat(),
    requests: fc.array(request, { maxLength: 8 }),
  })
}

const EMPTY = { listener: 'abc', sequence: 7, requests: [] }
const FOREIGN: BlockRequest = {
  ...{ accountId: 1, accountVersion: 1, receivedMs: 1, hostName: '', peer: '', idempotencyKey: '' },
  ...{ form: 'foreign', body: Buffer.from('{}'), ranges: Uint32Array.of(0, 2), rejections: [] },
}

describe('the wire form of a block', () => {
  it('reads back what was written', () => {
    fc.assert(
      fc.property(block, (value) => {
        // A lone surrogate cannot travel in UTF-8: the listener's texts are decoded bytes and never
        // hold one.
        fc.pre(!/\\ud[89a-f]/i.test(JSON.stringify(value)))
        expect(decodeBlock(encodeBlock(value))).toEqual(value)
      }),
    )
  })

  it('is version 2, which programs of before read, unless another input than logger.jsp is in it', () => {
    fc.assert(fc.property(plainBlock, (value) => encodeBlock(value)[0] === 2))
    expect(encodeBlock({ ...EMPTY, requests: [FOREIGN] })[0]).toBe(3)
  })

  it('reads what version 1 wrote, which had no checksum', () => {
    fc.assert(
      fc.property(plainBlock, (value) => {
        fc.pre(!/\\ud[89a-f]/i.test(JSON.stringify(value)))
        const bytes = encodeBlock(value)
        const ofVersion1 = Buffer.concat([Buffer.from([1]), bytes.subarray(5)])
        expect(decodeBlock(ofVersion1)).toEqual(value)
      }),
    )
  })

  it.each([
    ['2', EMPTY],
    ['3', { ...EMPTY, requests: [FOREIGN] }],
  ])('of version %s knows every flipped bit, and tells it from a later version', (_, value) => {
    const bytes = encodeBlock(value)
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      // Version 1 has no sum: what makes it of a later one may be read, and is then other data
      // (decision 0022).
      if (flipped[0] === 1) continue
      const version = flipped[0] ?? 0
      const isLater = version > 3 && version < 32
      const code = isLater ? 'event_log.later_block' : 'event_log.damaged_block'
      expect(() => decodeBlock(flipped), `bit ${bit}`).toThrow(expect.objectContaining({ code }))
    }
  })

  it('has the published checksum of Castagnoli behind its version', () => {
    const bytes = encodeBlock({ listener: 'a', sequence: 1, requests: [] })
    let crc = 0xffffffff
    for (const byte of bytes.subarray(5)) {
      crc ^= byte
      for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    }
    expect([bytes[0], bytes.readUInt32LE(1)]).toEqual([2, (crc ^ 0xffffffff) >>> 0])
  })

  it('refuses torn, longer and foreign bytes', () => {
    const bytes = encodeBlock({ listener: 'a', sequence: 1, requests: [] })
    expect(() => decodeBlock(bytes.subarray(0, -1))).toThrow()
    expect(() => decodeBlock(Buffer.concat([bytes, Buffer.from([0])]))).toThrow()
    expect(() => decodeBlock(Buffer.concat([Buffer.from([9]), bytes]))).toThrow()
  })
})
