import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBlock, encodeBlock } from '../../../schemas/block/codec.ts'
import type { Block } from '../../../schemas/block/schema.ts'

const request = fc.record({
  accountId: fc.nat(),
  accountVersion: fc.nat(),
  receivedMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  hostName: fc.string({ unit: 'grapheme' }),
  peer: fc.ipV6(),
  idempotencyKey: fc.string({ unit: 'binary' }),
  body: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
  ranges: fc.uint32Array({ maxLength: 20 }),
  rejections: fc.array(
    fc.record({
      index: fc.nat(),
      code: fc.constantFrom(
        'invalid_json',
        'not_an_object',
        'too_large',
        'too_deep',
        'too_many_columns',
      ),
      start: fc.nat(),
      end: fc.nat(),
    }),
  ),
})
const block: fc.Arbitrary<Block> = fc.record({
  listener: fc.string(),
  sequence: fc.nat(),
  requests: fc.array(request, { maxLength: 8 }),
})

describe('the wire form of a block', () => {
  it('reads back what was written', () => {
    fc.assert(
      fc.property(block, (value) => {
        // A lone surrogate cannot travel in UTF-8: the listener's texts are decoded bytes and never hold one.
        fc.pre(!/\\ud[89a-f]/i.test(JSON.stringify(value)))
        expect(decodeBlock(encodeBlock(value))).toEqual(value)
      }),
    )
  })

  it('reads what version 1 wrote, which had no checksum', () => {
    fc.assert(
      fc.property(block, (value) => {
        fc.pre(!/\\ud[89a-f]/i.test(JSON.stringify(value)))
        const bytes = encodeBlock(value)
        const ofVersion1 = Buffer.concat([Buffer.from([1]), bytes.subarray(5)])
        expect(decodeBlock(ofVersion1)).toEqual(value)
      }),
    )
  })

  it('knows every flipped bit, and tells it from a later version', () => {
    const bytes = encodeBlock({ listener: 'abc', sequence: 7, requests: [] })
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const version = flipped[0] ?? 0
      const isLater = version > 2 && version < 32
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
