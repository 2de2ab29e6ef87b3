import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteBuffer } from '../../../../ingest/bytes/byte-buffer.ts'
import { areEqual, BodySource, copyBytes, hashOf } from '../../../../ingest/bytes/byte-source.ts'

const bytes = fc.uint8Array({ maxLength: 600 })

/** The bytes in the middle of others, as values stand in a body. */
function sourceOf(content: Uint8Array, before: number): BodySource {
  const source = new BodySource()
  const whole = Buffer.alloc(content.length + before + 3, 0xaa)
  whole.set(content, before)
  source.take(whole.subarray(1))
  return source
}

describe('bytes read and copied four at a time', () => {
  test('a copy has these bytes and touches no others', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 9 }), (content, before) => {
        const target = new BodySource()
        target.take(Buffer.alloc(content.length + 20, 0x55))
        copyBytes(sourceOf(content, before), before - 1, target, 10, content.length)
        const expected = Buffer.alloc(content.length + 20, 0x55)
        expected.set(content, 10)
        expect(target.bytes.equals(expected)).toBe(true)
      }),
    )
  })

  test('equal bytes are equal and have one hash, wherever they stand', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 9 }), (content, before) => {
        const a = sourceOf(content, before)
        const b = sourceOf(content, 1)
        const { length } = content
        expect(areEqual(a, before - 1, b, 0, length)).toBe(true)
        expect(hashOf(a, before - 1, length)).toBe(hashOf(b, 0, length))
      }),
    )
  })

  test('one byte that differs makes a difference', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(), (content, at) => {
        const other = Uint8Array.from(content)
        const changed = at % content.length
        other[changed] = (content[changed] ?? 0) ^ 1
        expect(areEqual(sourceOf(content, 1), 0, sourceOf(other, 1), 0, content.length)).toBe(false)
      }),
    )
  })

  test('a buffer keeps what was written while it grows', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 30 }), (parts) => {
        const buffer = new ByteBuffer(4)
        for (const part of parts) buffer.writeRange(sourceOf(part, 1), 0, part.length)
        expect(buffer.bytes.subarray(0, buffer.length).equals(Buffer.concat(parts))).toBe(true)
      }),
    )
  })
})
