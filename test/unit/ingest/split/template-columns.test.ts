import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TemplateMatcher } from '../../../../ingest/patterns/match/template-matcher.ts'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { makeSplitEvent } from '../../../../ingest/split/split-event.ts'
import { type Locate, makeLocator } from '../../../../ingest/split/template/locator.ts'
import { TemplateColumns } from '../../../../ingest/split/template/template-columns.ts'
import { EventBlock } from '../../../../ingest/writer/native/event-block.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'
import {
  columnsOf,
  kindsOf,
  makeAccount,
  makeEventInput,
  RECEIVED_MS,
  readBack,
  readTexts,
  shownColumnsOf,
} from '../../../support/ingest/split-event.ts'

/** A line as it is split, and as the template makes columns of it. */
function apply(patterns: string[], line: string | Buffer, zone = 'UTC', locate?: Locate) {
  const out = makeSplitEvent()
  const body = Buffer.concat([Buffer.from('before\n'), Buffer.from(line), Buffer.from('\n')])
  const splitter = makeAccountSplitter(makeAccount(), 'UTC')
  const input = makeEventInput({ body, start: 7, end: body.length - 1, isLine: true })
  splitter.split(out, input)
  const template = new TemplateColumns(new TemplateMatcher(patterns), timeZone(zone), locate)
  const fits = template.add(out, RECEIVED_MS)
  const block = new EventBlock()
  block.append(out, {
    ...{ slot: 0, admitColumn: () => true, intendedPath: '', receivedMs: RECEIVED_MS, source: '' },
    ...{ partition: 0, offset: 0, index: 0, body, start: 7, end: body.length - 1 },
  })
  expect(block.rows).toBe(1)
  return { fits, out: readTexts(out), line: body.subarray(7, body.length - 1) }
}

const PATTERN =
  '{ip:Remote IP} {word:User} [{date:Date,dd/MMM/yyyy:HH:mm:ss}] {number:Status} {number:Size} {text:Rest}'

describe('the columns of a template', () => {
  it('are those of the line, which is still stored once', () => {
    const line = '10.0.0.1 - [01/Jun/2024:10:00:01] 200 1.50 größe ß'
    const { fits, out } = apply([PATTERN], line, 'Europe/Berlin')
    expect(fits).toBe(1)
    expect(columnsOf(out)).toEqual({
      ...{ 'Remote IP': '10.0.0.1', User: '-', Status: 200, Size: '1.50', Rest: 'größe ß' },
    })
    expect(kindsOf(out).get('Size')).toEqual(['exactNumber', '1.50'])
    expect(new Date(out.timestampMs).toISOString()).toBe('2024-06-01T08:00:01.000Z')
    expect(out.message).toBe(line)
    expect(readBack(out, line).toString()).toBe(line)
    expect(shownColumnsOf(out)).toEqual({
      ...{ 'Remote IP': '10.0.0.1', User: '-', Status: '200', Size: '1.50', Rest: 'größe ß' },
    })
  })

  it('are missing where the line has no value', () => {
    const { out } = apply([PATTERN], '10.0.0.1 - [01/Jun/2024:10:00:01] - 5 ')
    expect(columnsOf(out)).toEqual({ 'Remote IP': '10.0.0.1', User: '-', Size: 5 })
    expect(shownColumnsOf(out)).toEqual({ 'Remote IP': '10.0.0.1', User: '-', Size: '5' })
  })

  it('say where an address is', () => {
    const locate = makeLocator(readFileSync('test/fixtures/geoip/city.mmdb'))
    const { out } = apply(['{geoip:IP} {text:M}'], '81.2.69.142 x', 'UTC', locate)
    const place = { 'IP country': 'GB', 'IP city': 'London' }
    const where = { 'IP latitude': 51.5142, 'IP longitude': -0.0931 }
    expect(columnsOf(out)).toEqual({ IP: '81.2.69.142', M: 'x', ...place, ...where })
    const nowhere = apply(['{geoip:IP} {text:M}'], '10.0.0.1 x', 'UTC', locate).out
    expect(columnsOf(nowhere)).toEqual({ IP: '10.0.0.1', M: 'x' })
  })

  it('are none where no pattern fits', () => {
    const { fits, out } = apply([PATTERN], 'something else')
    expect(fits).toBe(0)
    expect([out.columnCount, out.names, out.rest, out.timestampMs]).toEqual([
      0,
      '',
      '',
      RECEIVED_MS,
    ])
  })

  it('keep a time of more than a day ahead in a column', () => {
    const { out } = apply(['{date:D,yyyy-MM-dd} {text:M}'], '2025-01-01 x')
    expect(out.timestampMs).toBe(RECEIVED_MS)
    expect(columnsOf(out)).toEqual({ 'original timestamp': '2025-01-01', M: 'x' })
  })

  it('hold a text with the separator of stored values whole', () => {
    const { out } = apply(['{word:A} {text:M}'], 'a x\u001fy')
    expect(columnsOf(out)).toEqual({ A: 'a', M: 'x\u001fy' })
    expect(shownColumnsOf(out)).toEqual({ A: 'a', M: 'x\u001fy' })
  })

  it('come from a line that is no UTF-8, too', () => {
    const { out } = apply(['{word:A} {text:M}'], Buffer.from([0x61, 0x20, 0xff, 0x62]))
    expect(columnsOf(out)).toEqual({ A: 'a', M: '\ufffdb' })
  })

  it('are added to those of an object, and win', () => {
    const object = '{"Status":"old","b":1,"message":"200 2024-05-31 x"}'
    const addTo = (has: 'time' | 'no time') => {
      const out = makeSplitEvent()
      const body = Buffer.from(object)
      makeAccountSplitter(makeAccount(), 'UTC').split(out, makeEventInput({ body }))
      const template = new TemplateMatcher(['{number:Status} {date:Day,yyyy-MM-dd} {text:M}'])
      expect(new TemplateColumns(template, timeZone('UTC')).add(out, RECEIVED_MS, has)).toBe(1)
      return readTexts(out)
    }
    const untimed = addTo('no time')
    expect(columnsOf(untimed)).toEqual({ b: 1, Status: 200, M: 'x' })
    expect(untimed.timestampMs).toBe(Date.parse('2024-05-31T00:00:00Z'))
    expect(untimed.isStoredRaw).toBe(true)
    expect(shownColumnsOf(untimed)).toEqual({ b: '1', Status: '200', M: 'x' })
    const timed = addTo('time')
    expect(columnsOf(timed)).toEqual({ b: 1, Status: 200, Day: '2024-05-31', M: 'x' })
    expect(timed.timestampMs).toBe(RECEIVED_MS)
  })

  it.each([3, 200])(
    'win by name, and keep an object whole whose names go on: %i pairs',
    (count) => {
      const addTo = (object: Record<string, unknown>, line: string) => {
        const out = makeSplitEvent()
        const body = Buffer.from(JSON.stringify({ ...object, message: line }))
        makeAccountSplitter(makeAccount(), 'UTC').split(out, makeEventInput({ body }))
        const template = new TemplateMatcher(['{word:A} {pairs}'])
        expect(new TemplateColumns(template, timeZone('UTC')).add(out, RECEIVED_MS, 'time')).toBe(1)
        return { isStoredRaw: out.isStoredRaw, columns: columnsOf(readTexts(out)) }
      }
      const pairs = Array.from({ length: count }, (_, i) => `p${i}=${i}`)
      const made = Object.fromEntries(pairs.map((_, i) => [`p${i}`, i]))
      const line = `go ${pairs.join(' ')}`
      expect(addTo({ b: 1, c: { d: 2 } }, line)).toEqual({
        isStoredRaw: false,
        columns: { b: 1, 'c.d': 2, A: 'go', ...made },
      })
      expect(addTo({ p1: 'old', b: 1 }, line)).toEqual({
        isStoredRaw: true,
        columns: { b: 1, A: 'go', ...made },
      })
      expect(addTo({ p2: { x: 'y' } }, line)).toEqual({
        isStoredRaw: true,
        columns: { 'p2.x': 'y', A: 'go', ...made },
      })
      expect(addTo({ b: 1 }, `${line} b.c=5`)).toEqual({
        isStoredRaw: true,
        columns: { b: 1, A: 'go', ...made, 'b.c': 5 },
      })
    },
  )

  it('are the keys of pairs and of JSON', () => {
    const pairs = apply(['{word:A} {pairs}'], 'go a=1 b="x \\"y\\"" A=2').out
    expect(columnsOf(pairs)).toEqual({ A: 'go', a: 1, b: 'x "y"' })
    const json = apply(['{word:A} {json:J}'], 'go {"a":{"b":1},"c":"x"}').out
    expect(columnsOf(json)).toEqual({ A: 'go', 'J.a.b': 1, 'J.c': 'x' })
    expect(shownColumnsOf(json)).toEqual({ A: 'go', 'J.a.b': '1', 'J.c': 'x' })
  })
})
