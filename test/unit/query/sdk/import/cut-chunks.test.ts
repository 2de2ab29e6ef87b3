import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  type Chunk,
  cutChunks,
  LineTooLong,
} from '../../../../../query/sdk/client/import/cut-chunks.ts'
import { readSeed } from '../../../../support/run/seed.ts'

const MIB = 1024 * 1024
const SEED = readSeed('LOGEYE_IMPORT_SEED', 7)

async function cut(
  bytes: Buffer,
  options: { from?: number; firstBytes?: number; pieceBytes?: number } = {},
): Promise<Chunk[]> {
  const { from = 0, firstBytes, pieceBytes = 64 * 1024 } = options
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  )
  const chunks: Chunk[] = []
  for await (const chunk of cutChunks(Readable.from(pieces), { from, firstBytes }))
    chunks.push({ ...chunk, bytes: Buffer.from(chunk.bytes) })
  return chunks
}

/** Comparing a mebibyte byte by byte takes the runner minutes. */
const digests = (chunks: readonly Chunk[]) =>
  chunks.map(({ offset, bytes }) => [offset, createHash('sha256').update(bytes).digest('hex')])

/** Lines of random lengths; some go on with the event before them. */
function makeLines(count: number): Buffer {
  let state = SEED
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const lines = Array.from({ length: count }, (_, at) => {
    const begin = random(10) === 0 ? '\tat ' : `${at} `
    return `${begin}${'x'.repeat(random(random(20) === 0 ? 5000 : 200))}\n`
  })
  return Buffer.from(lines.join(''))
}

describe('chunks of a file', () => {
  const bytes = makeLines(30_000)

  it('are the whole of it, end before lines that begin an event, and are 1 MiB at most', async () => {
    const chunks = await cut(bytes)
    expect(chunks.length).toBeGreaterThan(3)
    expect(Buffer.concat(chunks.map((it) => it.bytes)).equals(bytes)).toBe(true)
    let offset = 0
    for (const chunk of chunks) {
      expect(chunk.offset).toBe(offset)
      expect(chunk.bytes.length).toBeLessThanOrEqual(MIB)
      expect(chunk.bytes.at(-1)).toBe(10)
      expect(['\t', ' ']).not.toContain(chunk.bytes.toString('latin1', 0, 1))
      offset += chunk.bytes.length
    }
  })

  it('are the same from each place between two of them, however the bytes arrive', async () => {
    const chunks = await cut(bytes)
    for (const pieceBytes of [1013, MIB * 3])
      for (const [at, { offset }] of chunks.entries())
        expect(digests(await cut(bytes, { from: offset, pieceBytes }))).toEqual(
          digests(chunks.slice(at)),
        )
  })

  it('begin with the one that was sent before, when the file has grown since', async () => {
    const old = Buffer.from('one\ntwo')
    const grown = Buffer.concat([old, Buffer.from(' and a half\nthree\n')])
    const chunks = await cut(grown, { firstBytes: old.length })
    expect(chunks.map((it) => it.bytes.toString())).toEqual(['one\ntwo', ' and a half\nthree\n'])
  })

  it('have at most 50,000 lines', async () => {
    const many = Buffer.from('\n'.repeat(120_000))
    const sizes = (await cut(many)).map((it) => it.bytes.length)
    expect(sizes).toEqual([50_000, 50_000, 20_000])
  })

  it('hold a line that is longer than one, up to 8 MiB', async () => {
    const long = Buffer.from(`a\n${'x'.repeat(3 * MIB)}\nb\n`)
    const sizes = (await cut(long)).map((it) => it.bytes.length)
    expect(sizes).toEqual([2, 3 * MIB + 1, 2])
    await expect(cut(Buffer.alloc(9 * MIB, 120))).rejects.toThrow(LineTooLong)
  })

  it('are none of an empty file', async () => {
    expect(await cut(Buffer.alloc(0))).toEqual([])
  })
})
