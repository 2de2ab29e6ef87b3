// What a body of CloudEvents holds (test/cases/cloudevents-read.txt), whole and in slices.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCloudEvents } from '../../../../../ingest/listener/inputs/cloudevents/read-body.ts'
import type { Scanned } from '../../../../../ingest/listener/scan/scan.ts'
import { scanBody } from '../../../../../ingest/listener/scan/scan.ts'
import { cloudEvent } from '../../../../../schemas/public-calls/cloudevents.ts'
import { readCases } from '../../../../support/cases/read-cases.ts'

const LIMITS = { maxEvents: 20, maxEventBytes: 1000, maxDepth: 4, maxColumns: 20 }

function read(text: string, sliceBytes = Number.POSITIVE_INFINITY, limits = LIMITS): Scanned {
  const { body, scanner } = readCloudEvents(Buffer.from(text), limits)
  for (let steps = 0; !scanner.run(Math.min(sliceBytes, body.length)); steps += 1) {
    if (steps > 3 * body.length) throw new Error('the scan does not end')
  }
  return scanner.result()
}

/** Of each event its source, or what is wrong with it. */
function show(scanned: Scanned): string {
  if (scanned.kind === 'refused') return `${scanned.code} at ${scanned.index}`
  const { ranges, rejections, origins } = scanned
  const bad = new Map(rejections.map(({ index, code }) => [index, `!${code}`]))
  const sources = [...(origins?.placeOf ?? [])].map((place) => origins?.places[place]?.source)
  expect(sources.length * 2).toBe(ranges.length)
  const shown = Array.from(
    { length: sources.length + bad.size },
    (_, index) => bad.get(index) ?? sources.shift(),
  )
  return shown.join('\n') || 'nothing'
}

describe('a body of CloudEvents', () => {
  const cases = readCases('cloudevents-read.txt')
  it('has its cases', () => expect(cases.length).toBeGreaterThan(30))
  it.each(cases)('$name', ({ input, result }) => {
    expect(show(read(input))).toBe(result)
    expect(show(read(input, 1))).toBe(result)
    expect(show(read(input, 40))).toBe(result)
  })

  it('holds each accepted event to the byte', () => {
    const events = ['{"specversion":"1.0","id":"1","source":"a","type":"é"}', '{}']
    const body = Buffer.from(`[ ${events.join(' , ')} ]`)
    const { scanner } = readCloudEvents(body, LIMITS)
    scanner.run(body.length)
    const scanned = scanner.result()
    if (scanned.kind !== 'events') throw new Error('refused')
    const [start, end] = scanned.ranges
    expect(body.toString('utf8', start, end)).toBe(events[0])
    const [rejection] = scanned.rejections
    expect(body.toString('utf8', rejection?.start, rejection?.end)).toBe(events[1])
  })

  it('cuts a source after 255 characters, and no character in two', () => {
    const scanned = read(
      `{"specversion":"1.0","id":"1","source":"${'x'.repeat(254)}🙂🙂","type":"t"}`,
    )
    expect(show(scanned)).toBe(`${'x'.repeat(254)}🙂`)
  })

  it('keeps sources of a mebibyte a request; those beyond are left to the account', () => {
    const events = Array.from(
      { length: 5000 },
      (_, n) =>
        `{"specversion":"1.0","id":"1","source":"${String(n % 4500).padStart(255, 'x')}","type":"t"}`,
    )
    const scanned = read(`[${events.join(',')}]`, Number.POSITIVE_INFINITY, {
      ...LIMITS,
      maxEvents: 5000,
    })
    const sources = show(scanned).split('\n')
    expect(sources.filter((source) => source !== '')).toHaveLength(4112 + 500)
    expect(sources.at(-1)).toBe(String(499).padStart(255, 'x'))
  })

  it('takes what the schema of the API takes, and no more', () => {
    const attribute = fc.constantFrom('', '1.0', 'a', '/s', 7, null, undefined)
    const time = fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-02T03:04:05.5+01:00', null)
    const event = fc.record({
      specversion: fc.constantFrom('1.0', '0.3', 1, null),
      id: attribute,
      source: attribute,
      type: attribute,
      time: fc.option(fc.oneof(time, fc.constantFrom('now', '2026-01-02', 5)), { nil: undefined }),
      data: fc.jsonValue({ maxDepth: 1 }),
    })
    fc.assert(
      fc.property(event, (value) => {
        const text = JSON.stringify(value)
        // What is too large, too deep or too wide is another matter.
        const scanned = scanBody(Buffer.from(text), LIMITS)
        fc.pre(scanned.kind === 'events' && scanned.rejections.length === 0)
        const isTaken = !show(read(text)).startsWith('!')
        expect(isTaken).toBe(cloudEvent.safeParse(JSON.parse(text)).success)
      }),
    )
  })
})
