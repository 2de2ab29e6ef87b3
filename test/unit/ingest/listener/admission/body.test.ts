import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  Decompressor,
  parseContentEncoding,
} from '../../../../../ingest/listener/admission/body.ts'
import { findZstdFrames } from '../../../../../ingest/listener/admission/zstd-frames.ts'

const zstdCompressSync: unknown = Reflect.get(zlib, 'zstdCompressSync')
const MAX_BYTES = 1_000_000
const decompressor = new Decompressor(MAX_BYTES)
const gzip = (text: string) => zlib.gzipSync(text)

describe('content encoding', () => {
  it.each([
    ['', undefined],
    ['identity', undefined],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    [' identity , deflate,', 'deflate'],
  ])('%s is %s', (header, encoding) => {
    expect(parseContentEncoding(header)).toBe(encoding)
  })

  it.each(['br', 'gzip, gzip', 'deflate, gzip', 'gzip;q=1'])('%s is refused', (header) => {
    expect(() => parseContentEncoding(header)).toThrow('the content encoding is not supported')
  })
})

describe('decompression', () => {
  const refused = [
    ['a cut member', gzip('{"a":1}').subarray(0, 20)],
    ['a wrong checksum', Buffer.concat([gzip('{"a":1}').subarray(0, -5), Buffer.alloc(5, 1)])],
    ['text behind', Buffer.concat([gzip('{"a":1}'), Buffer.from('{"b":2}')])],
    ['half a second member', Buffer.concat([gzip('{"a":1}'), gzip('{"b":2}').subarray(0, 12)])],
    ['a member behind padding', Buffer.concat([gzip('{"a":1}'), Buffer.alloc(9), gzip('{}')])],
    ['nothing', Buffer.alloc(0)],
  ] as const

  it.each(refused)('refuses gzip with %s, at once and on a thread', async (_, bytes) => {
    expect(() => decompressor.decompressSmall('gzip', bytes)).toThrow('cannot be decompressed')
    await expect(decompressor.decompress('gzip', bytes)).rejects.toThrow('cannot be decompressed')
  })

  it('refuses deflate with bytes behind it', () => {
    const bytes = Buffer.concat([zlib.deflateSync('{}'), Buffer.from('x')])
    expect(() => decompressor.decompressSmall('deflate', bytes)).toThrow('cannot be decompressed')
  })

  it('takes zero padding behind gzip, and both forms of deflate', () => {
    const padded = Buffer.concat([gzip('{"a":1}'), Buffer.alloc(100)])
    expect(decompressor.decompressSmall('gzip', padded)?.toString()).toBe('{"a":1}')
    expect(decompressor.decompressSmall('deflate', zlib.deflateSync('{}'))?.toString()).toBe('{}')
    expect(decompressor.decompressSmall('deflate', zlib.deflateRawSync('{}'))?.toString()).toBe(
      '{}',
    )
  })

  it('leaves what grows large to a thread, and stops it at the limit', async () => {
    const fits = zlib.gzipSync(Buffer.alloc(MAX_BYTES, 0x20))
    expect(decompressor.decompressSmall('gzip', fits)).toBeUndefined()
    expect(await decompressor.decompress('gzip', fits)).toHaveLength(MAX_BYTES)
    const over = zlib.gzipSync(Buffer.alloc(MAX_BYTES + 1, 0x20))
    await expect(decompressor.decompress('gzip', over)).rejects.toThrow('larger than 1000000 bytes')
  })

  it('does not believe the size that gzip claims', async () => {
    const bytes = Buffer.from(zlib.gzipSync(Buffer.alloc(MAX_BYTES, 0x20)))
    bytes.writeUInt32LE(0xffffffff, bytes.length - 4)
    await expect(decompressor.decompress('gzip', bytes)).rejects.toThrow('cannot be decompressed')
  })

  it('gives its places on when some fail', async () => {
    const good = zlib.gzipSync(Buffer.alloc(500_000, 0x20))
    const bad = Buffer.from('no gzip')
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => decompressor.decompress('gzip', n % 2 ? bad : good)),
    )
    expect(results.map((result) => result.status)).toEqual(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? 'rejected' : 'fulfilled')),
    )
  })
})

describe('zstd frames', () => {
  // Written by hand after RFC 8878, one raw block of 7 bytes: with a window and a checksum (its 4
  // bytes missing); as a single segment.
  const first = Buffer.from('28b52ffd0458390000' + '7b2261223a317d', 'hex')
  const whole = Buffer.from('28b52ffd2007390000' + '7b2261223a317d', 'hex')
  const skippable = Buffer.from('502a4d18030000000a0b0c', 'hex')

  it('are found one after the other, skippable ones left out', () => {
    expect(findZstdFrames(whole, 9)).toEqual([[0, 16]])
    expect(findZstdFrames(Buffer.concat([whole, skippable, whole]), 9)).toEqual([
      [0, 16],
      [27, 43],
    ])
    expect(findZstdFrames(Buffer.concat([first, Buffer.alloc(4)]), 9)).toEqual([[0, 20]])
  })

  it.each([
    ['a cut frame', whole.subarray(0, -1)],
    ['a frame without its checksum', first],
    ['bytes behind', Buffer.concat([whole, Buffer.from('{"b":2}!')])],
    ['a cut skippable frame', skippable.subarray(0, -1)],
    ['more frames than allowed', Buffer.concat([whole, whole, whole])],
  ])('are refused: %s', (_, bytes) => {
    expect(findZstdFrames(bytes, 2)).toBeUndefined()
  })

  if (typeof zstdCompressSync === 'function')
    it('are joined and bounded', async () => {
      const compress = (text: string): Buffer =>
        typeof zstdCompressSync === 'function' ? zstdCompressSync(text) : Buffer.alloc(0)
      expect(parseContentEncoding('zstd')).toBe('zstd')
      const text = '{"message":"x"}\n'.repeat(20_000)
      const two = Buffer.concat([compress(text), compress('{"b":2}')])
      expect((await decompressor.decompress('zstd', two)).toString()).toBe(`${text}{"b":2}`)
      const cut = two.subarray(0, -3)
      await expect(decompressor.decompress('zstd', cut)).rejects.toThrow('cannot be decompressed')
      const bomb = compress(' '.repeat(MAX_BYTES + 1))
      await expect(decompressor.decompress('zstd', bomb)).rejects.toThrow(
        'larger than 1000000 bytes',
      )
    })
  else
    it('are an unsupported encoding on this Node', async () => {
      expect(() => parseContentEncoding('zstd')).toThrow('the content encoding is not supported')
      await expect(decompressor.decompress('zstd', whole)).rejects.toThrow('cannot be decompressed')
    })
})
