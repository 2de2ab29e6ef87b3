// A piece goes in parts that any block takes: each event once, in its order, the same every time.
import { describe, expect, it } from 'vitest'
import { cutPiece } from '../../../../ingest/collect/cut-piece.ts'
import { splitRequest } from '../../../../ingest/collect/split-request.ts'
import { textFormOf } from '../../../../ingest/collect/text-form.ts'
import { encodeBlock } from '../../../../schemas/block/codec.ts'
import type { BlockRequest } from '../../../../schemas/block/schema.ts'
import { makeAccount } from '../../../support/ingest/split-event.ts'
import { makeRandom } from '../../../support/reference/random/random.ts'
import { series } from '../../../support/run/tier.ts'

const MIB = 1024 * 1024
/** As small as one may be. */
const SMALL = { maxBlockBytes: 3 * MIB }

const form = textFormOf(Buffer.from('text'), null)

function requestOf(text: string): BlockRequest {
  const account = makeAccount({ patterns: [] })
  if (form === undefined) throw new Error('it is text')
  const options = { form, account, isFinal: true, keeps: undefined }
  const { body, ranges, rejections } = cutPiece(Buffer.from(text), options)
  return {
    ...{ accountId: 1, accountVersion: 1, receivedMs: 0, hostName: 'a', peer: '', form: 'file' },
    ...{ idempotencyKey: 'file-1-0-9', body, ranges, rejections },
    origins: {
      places: [{ host: '', source: '/a'.repeat(100) }],
      placeOf: new Uint32Array(ranges.length / 2),
      times: new Float64Array(),
    },
  }
}

/** Accepted and rejected ones, in their order. */
function textsOf({ body, ranges, rejections }: BlockRequest): string[] {
  const texts: string[] = []
  const bytes = Buffer.from(body)
  let good = 0
  let bad = 0
  for (let at = 0; at < ranges.length / 2 + rejections.length; at += 1) {
    const rejection = rejections[bad]
    const isBad = rejection?.index === at
    const [start, end] = isBad
      ? [rejection.start, rejection.end]
      : [ranges[good * 2], ranges[good * 2 + 1]]
    if (isBad) bad += 1
    else good += 1
    const text = bytes.toString('utf8', start, end)
    texts.push(isBad ? `rejected ${text}` : text)
  }
  return texts
}

function blockOf(request: BlockRequest): Buffer {
  return encodeBlock({ listener: 'x'.repeat(32), sequence: 9, requests: [request] })
}

const sizeOf = (request: BlockRequest) => blockOf(request).length

describe('a piece', () => {
  it('is one request where a block takes it', () => {
    const request = requestOf('a line\n'.repeat(10_000))
    expect(splitRequest(request, SMALL)).toEqual([request])
  })

  it.each([
    ['lines of one byte', '1\n2\n'.repeat(500_000)],
    ['lines with CR', '1\r\n\r\n\n2\r\n'.repeat(200_000)],
    ['objects', '{}\n'.repeat(400_000)],
    [
      'lines and larger ones',
      `${'1\n'.repeat(200_000)}${'x'.repeat(MIB)}\n${'2\n'.repeat(200_000)}`,
    ],
    ['one that is too large among them', `${'1\n'.repeat(200_000)}${'x'.repeat(MIB + 1)}\n2\n`],
  ])('of %s goes in parts that fit', (_what, text) => {
    const request = requestOf(text)
    expect(sizeOf(request)).toBeGreaterThan(SMALL.maxBlockBytes)
    const parts = splitRequest(request, SMALL)
    for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(SMALL.maxBlockBytes)
    const texts = parts.flatMap(textsOf)
    expect(texts.length).toBe(request.ranges.length / 2 + request.rejections.length)
    expect(texts.join('|') === textsOf(request).join('|')).toBe(true)
    const keys = parts.map(({ idempotencyKey }) => idempotencyKey)
    expect(new Set(keys).size).toBe(parts.length)
    // With other settings after a crash as well.
    const again = splitRequest(request, { maxBlockBytes: 16 * MIB })
    expect(
      again.map(blockOf).every((block, at) => block.equals(blockOf(parts[at] ?? request))),
    ).toBe(true)
    expect(again.length).toBe(parts.length)
  })

  it('has each of random lines once', () => {
    const random = makeRandom(5)
    const lengths = [1, 1, 1, 2, 50, 300_000, MIB, MIB + 1, 2 * MIB]
    for (let round = 0; round < series(2, 5); round += 1) {
      const lines = Array.from({ length: 20 }, () => {
        const line = `${'x'.repeat(random.pick(lengths))}\n`
        return line.repeat(line.length < 60 ? 20_000 : 1)
      })
      const request = requestOf(lines.join(''))
      const parts = splitRequest(request, SMALL)
      for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(SMALL.maxBlockBytes)
      const texts = parts.flatMap(textsOf).join('|')
      expect(texts === textsOf(request).join('|')).toBe(true)
    }
  })

  it('keeps what masking has made larger than a block as far as there is room', () => {
    const request = requestOf(`1\n2\n`)
    const masked = Buffer.concat([
      Buffer.from('1\n'),
      Buffer.alloc(4 * MIB, 'h'),
      Buffer.from('\n3\n'),
    ])
    const end = masked.length - 2
    const ranges = Uint32Array.from([0, 2, 2, end, end, masked.length])
    const parts = splitRequest({ ...request, body: masked, ranges }, SMALL)
    expect(parts.map(textsOf).map((texts) => texts.map((text) => text.slice(0, 12)))).toEqual([
      ['1\n'],
      ['rejected hhh'],
      ['3\n'],
    ])
    for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(SMALL.maxBlockBytes)
    expect(
      splitRequest({ ...request, body: masked, ranges }, { maxBlockBytes: 16 * MIB })[1],
    ).toMatchObject({
      rejections: [],
    })
  })
})
