import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../../schemas/block.ts'
import { decodeBlock, encodeBlock } from '../../../schemas/block-codec.ts'

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

  it('refuses torn, longer and foreign bytes', () => {
    const bytes = encodeBlock({ listener: 'a', sequence: 1, requests: [] })
    expect(() => decodeBlock(bytes.subarray(0, -1))).toThrow()
    expect(() => decodeBlock(Buffer.concat([bytes, Buffer.from([0])]))).toThrow()
    expect(() => decodeBlock(Buffer.concat([Buffer.from([9]), bytes]))).toThrow()
  })
})
