import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  automaticStep,
  bucketAt,
  bucketEdges,
  MAX_BUCKETS,
  parseStep,
  printStep,
  slotsOf,
} from '../../../../query/search-json/calls/buckets.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'

const BERLIN = timeZone('Europe/Berlin')
const HOUR = 3_600_000
const print = (edges: readonly number[] | undefined) =>
  edges?.map((edge) => new Date(edge).toISOString().replace(':00.000Z', ''))
const between = (start: string, end: string) => ({
  startMs: Date.parse(start),
  endMs: Date.parse(end),
})

describe('buckets', () => {
  it('of days begin at local midnight over a change of the clock', () => {
    const range = between('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')
    expect(print(bucketEdges({ count: 1, unit: 'day' }, range, BERLIN))).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
    ])
  })

  it('of hours count from midnight and are cut by the next one', () => {
    const range = between('2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z')
    expect(print(bucketEdges({ count: 7, unit: 'hour' }, range, BERLIN))).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T06:00',
      '2026-03-29T13:00',
      '2026-03-29T20:00',
      '2026-03-29T22:00',
      '2026-03-30T05:00',
    ])
  })

  it('of weeks begin on Monday, of months on the first, of years in January', () => {
    const range = between('2026-03-04T00:00:00Z', '2026-03-09T12:00:00Z')
    expect(print(bucketEdges({ count: 1, unit: 'week' }, range, timeZone('UTC')))).toEqual([
      '2026-03-02T00:00',
      '2026-03-09T00:00',
      '2026-03-16T00:00',
    ])
    const year = between('2026-03-04T00:00:00Z', '2026-05-09T00:00:00Z')
    expect(print(bucketEdges({ count: 3, unit: 'month' }, year, timeZone('UTC')))).toEqual([
      '2026-01-01T00:00',
      '2026-04-01T00:00',
      '2026-07-01T00:00',
    ])
    expect(print(bucketEdges({ count: 5, unit: 'year' }, year, timeZone('UTC')))).toEqual([
      '2025-01-01T00:00',
      '2030-01-01T00:00',
    ])
  })

  it('that are too many are refused, not made', () => {
    const range = { startMs: 0, endMs: 1e12 }
    expect(bucketEdges({ count: 1, unit: 'second' }, range, BERLIN)).toBeUndefined()
    expect(bucketEdges({ count: 100, unit: 'year' }, range, BERLIN)).toHaveLength(3)
  })

  it('hold the window whole, rise, and are made of whole slots, in every zone', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'America/St_Johns',
      'Australia/Lord_Howe',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 100_000_000_000, max: 2_000_000_000_000 }),
        fc.integer({ min: 1, max: 400 * 24 * HOUR }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (name, startMs, lengthMs, wanted, place) => {
          const zone = timeZone(name)
          const range = { startMs, endMs: startMs + lengthMs }
          const step = automaticStep(range, wanted)
          const edges = bucketEdges(step, range, zone) ?? []
          expect(edges.length).toBeGreaterThan(1)
          expect(edges.length).toBeLessThanOrEqual(MAX_BUCKETS + 2)
          expect(edges[0]).toBeLessThanOrEqual(startMs)
          expect(edges[1]).toBeGreaterThan(startMs)
          expect(edges.at(-1)).toBeGreaterThanOrEqual(range.endMs)
          expect(edges.at(-2)).toBeLessThan(range.endMs)
          const slots = slotsOf(edges)
          for (const [at, edge] of edges.entries()) {
            if (at > 0) expect(edge).toBeGreaterThan(edges[at - 1] ?? 0)
            expect((edge - slots.originMs) % slots.lengthMs).toBe(0)
          }
          const moment = startMs + (place % lengthMs)
          const at = bucketAt(edges, moment)
          expect(edges[at]).toBeLessThanOrEqual(moment)
          expect(edges[at + 1]).toBeGreaterThan(moment)
        },
      ),
      { numRuns: 100 },
    )
  }, 30_000)
})

describe('a step', () => {
  it.each([
    ['15 minutes', '15 minutes'],
    ['hour', '1 hour'],
    [' 3 D ', '3 days'],
    ['1 weeks', '1 week'],
  ])('%s is read as %s', (text, printed) => {
    const step = parseStep(text)
    expect(step && printStep(step)).toBe(printed)
  })

  it.each([
    '',
    '0 hours',
    '-1 day',
    '1.5 hours',
    'fortnight',
    '1 hour 2',
    '99999999999 s',
    '101 years',
  ])('%s is none', (text) => expect(parseStep(text)).toBeUndefined())
})
