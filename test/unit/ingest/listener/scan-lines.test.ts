// Lines of text as events (decision 2.10), from the body to what is stored and read back.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanBody } from '../../../../ingest/listener/scan/scan.ts'
import { endLastLine, LineScanner } from '../../../../ingest/listener/scan/scan-lines.ts'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { lineEnd } from '../../../../ingest/split/line-span.ts'
import { makeSplitEvent } from '../../../../ingest/split/split-event.ts'
import {
  makeAccount,
  makeEventInput,
  RECEIVED_MS,
  readBack,
  readTexts,
} from '../../../support/ingest/split-event.ts'

const LIMITS = { maxEvents: 50, maxEventBytes: 20, maxDepth: 4, maxColumns: 6 }

function scan(sent: Uint8Array | string, sliceBytes = 1000) {
  const body = endLastLine(Buffer.from(sent))
  const scanner = new LineScanner(body, LIMITS)
  for (let steps = 0; !scanner.run(sliceBytes); steps += 1) {
    if (steps > body.length) throw new Error('the scan does not end')
  }
  return { body, scanned: scanner.result() }
}

/** Lines in order, '!' before a rejected one; as the writer sees them. */
function show(sent: Uint8Array | string, sliceBytes?: number): string[] | string {
  const { body, scanned } = scan(sent, sliceBytes)
  if (scanned.kind === 'refused') return `${scanned.code} at ${scanned.index}`
  const lines: string[] = []
  for (let i = 0; i < scanned.ranges.length; i += 2) {
    const start = scanned.ranges[i] ?? 0
    lines.push(body.toString('latin1', start, lineEnd(body, start, scanned.ranges[i + 1] ?? 0)))
  }
  for (const { index, start, end } of scanned.rejections) {
    lines.splice(index, 0, `!${body.toString('latin1', start, end)}`)
  }
  return lines
}

/** The same rule, said in another way. */
function naive(sent: Buffer): string[] | string {
  const lines = sent
    .toString('latin1')
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '')
  if (lines.length > LIMITS.maxEvents) return `too_many_events at ${LIMITS.maxEvents}`
  return lines.map((line) => (line.length > LIMITS.maxEventBytes ? `!${line}` : line))
}

describe('lines of a body', () => {
  it.each([
    ['ended by LF and CR LF', 'a\nb\r\n', ['a', 'b']],
    ['without a last line end', 'a\nb', ['a', 'b']],
    ['that are empty', '\n\r\n\na\n\n', ['a']],
    ['of white space', ' \n\t\n', [' ', '\t']],
    ['with a CR inside', 'a\rb\n', ['a\rb']],
    ['that are JSON', '{"a":1}\n"b"\n[1]\n', ['{"a":1}', '"b"', '[1]']],
    ['after a byte order mark', '\ufeffa\n', ['a']],
    ['that are too long', `a\n${'b'.repeat(21)}\nc`, ['a', `!${'b'.repeat(21)}`, 'c']],
    ['that are none', '', []],
  ])('%s', (_, body, lines) => {
    expect(show(body)).toEqual(lines)
  })

  it('are the same in slices of any size, whatever the bytes are', () => {
    const byte = fc.oneof(
      fc.constantFrom(0x0a, 0x0d, 0x20, 0x22, 0x7b, 0x7d),
      fc.integer({ min: 0, max: 255 }),
    )
    const bodies = fc.array(byte, { maxLength: 200 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 40 }), (body, sliceBytes) => {
        fc.pre(body[0] !== 0xef)
        expect(show(body, sliceBytes)).toEqual(naive(body))
      }),
    )
  })

  it('are stored as their bytes, with the text as the message', () => {
    const splitter = makeAccountSplitter(makeAccount(), 'UTC')
    const out = makeSplitEvent()
    const line = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 60 }),
      fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(text)),
    )
    fc.assert(
      fc.property(line, (bytes) => {
        const body = Buffer.concat([Buffer.from('x\n'), bytes, Buffer.from('\n')])
        const end = body.length - 1
        splitter.split(out, makeEventInput({ body, start: 2, end, isLine: true, hostName: 'web' }))
        const event = readTexts(out)
        expect(readBack(event, bytes)).toEqual(Buffer.from(bytes))
        expect(event).toMatchObject({
          message: Buffer.from(bytes).toString('utf8'),
          columnCount: 0,
          rest: '',
          host: 'web',
          timestampMs: RECEIVED_MS,
          size: bytes.length,
        })
      }),
    )
  })
})

describe('a value of JSON', () => {
  it('is never taken for a line, so that blocks need no word on it', () => {
    const value = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string({ unit: 'binary' }),
    )
    const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t\n ')
    const bodies = fc.array(fc.tuple(space, value, space), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(bodies, fc.boolean(), (values, isArray) => {
        const texts = values.map(([before, it, after]) => before + JSON.stringify(it) + after)
        const body = Buffer.from(isArray ? `[${texts.join(',')}]` : texts.join('\n'))
        const scanned = scanBody(body, { ...LIMITS, maxEventBytes: 1e6, maxColumns: 1e6 })
        if (scanned.kind === 'refused') return
        for (let i = 0; i < scanned.ranges.length; i += 2) {
          const [start = 0, end = 0] = scanned.ranges.slice(i, i + 2)
          expect(lineEnd(body, start, end)).toBeUndefined()
        }
      }),
    )
  })
})
