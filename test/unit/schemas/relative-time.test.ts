import { describe, expect, it } from 'vitest'
import { parseRelativeTime, resolveRelativeTime } from '../../../schemas/time/relative-time.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { resolveByTemporal } from '../../support/reference/relative-time.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'] as const

function resolve(text: string, now: string, zone: string): string {
  const read = parseRelativeTime(text)
  if (read.kind !== 'relative') throw new Error(JSON.stringify(read))
  return new Date(resolveRelativeTime(read.time, Date.parse(now), timeZone(zone))).toISOString()
}

function reasonOf(text: string): string {
  const read = parseRelativeTime(text)
  return read.kind === 'fault' ? read.reason : read.kind
}

describe('a relative time', () => {
  const now = '2026-11-16T09:41:27.123Z'
  it.each([
    ['now', '2026-11-16T09:41:27.123Z'],
    ['-2h', '2026-11-16T07:41:27.123Z'],
    ['now-2h', '2026-11-16T07:41:27.123Z'],
    [' NOW - 2 Hours ', '2026-11-16T07:41:27.123Z'],
    ['-90s', '2026-11-16T09:39:57.123Z'],
    ['-5m', '2026-11-16T09:36:27.123Z'],
    ['-5M', '2026-06-16T09:41:27.123Z'],
    ['-1d', '2026-11-15T09:41:27.123Z'],
    ['-1w', '2026-11-09T09:41:27.123Z'],
    ['-1y', '2025-11-16T09:41:27.123Z'],
    ['+1d', '2026-11-17T09:41:27.123Z'],
    ['@s', '2026-11-16T09:41:27.000Z'],
    ['@m', '2026-11-16T09:41:00.000Z'],
    ['@h', '2026-11-16T09:00:00.000Z'],
    ['@d', '2026-11-16T00:00:00.000Z'],
    ['@w', '2026-11-16T00:00:00.000Z'],
    ['-1d@w', '2026-11-09T00:00:00.000Z'],
    ['@M', '2026-11-01T00:00:00.000Z'],
    ['@y', '2026-01-01T00:00:00.000Z'],
    ['-1d@d', '2026-11-15T00:00:00.000Z'],
    ['-1d@d+8h', '2026-11-15T08:00:00.000Z'],
    ['@month-1day', '2026-10-31T00:00:00.000Z'],
    ['now-1d-2h', '2026-11-15T07:41:27.123Z'],
    ['-PT2H', '2026-11-16T07:41:27.123Z'],
    ['PT2H', '2026-11-16T07:41:27.123Z'],
    ['+PT2H', '2026-11-16T11:41:27.123Z'],
    ['P1DT2H', '2026-11-15T07:41:27.123Z'],
    ['now-P1Y2M3W4DT5H6M7.5S', '2025-08-22T04:35:19.623Z'],
    ['-P1D@d', '2026-11-15T00:00:00.000Z'],
  ])('%s in UTC', (text, expected) => {
    expect(resolve(text, now, 'UTC')).toBe(expected)
  })

  it.each([
    ['the 31st a month before', '-1M', '2026-03-31T10:00:00Z', '2026-02-28T11:00:00.000Z'],
    [
      'the 29th of February a year before',
      '-1y',
      '2028-02-29T10:00:00Z',
      '2027-02-28T10:00:00.000Z',
    ],
    ['a time that the clocks leave out', '-1d', '2026-03-30T00:30:00Z', '2026-03-29T01:30:00.000Z'],
    ['the first of two equal times', '-1d', '2026-10-26T01:30:00Z', '2026-10-25T00:30:00.000Z'],
    ['a day of 23 hours', '-1d', '2026-03-29T10:00:00Z', '2026-03-28T11:00:00.000Z'],
    ['24 hours of the same night', '-24h', '2026-03-29T10:00:00Z', '2026-03-28T10:00:00.000Z'],
    ['the hour within the second of two', '@h', '2026-10-25T01:30:00Z', '2026-10-25T01:00:00.000Z'],
    ['the day of the change', '@d', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z'],
  ])('takes %s', (_, text, from, expected) => {
    expect(resolve(text, from, 'Europe/Berlin')).toBe(expected)
  })

  it('stays among the years that dates hold', () => {
    expect(resolve('-999999y', now, 'Europe/Berlin')).toBe('0001-01-01T00:00:00.000Z')
    expect(resolve('+999999y', now, 'Europe/Berlin')).toBe('9999-12-31T00:00:00.000Z')
  })

  it.each(['yesterday', '2026-11-16', '11/16/2026 08:00:00', 'nowhere', '', 'P', 'PT', '17'])(
    '%j is none',
    (text) => {
      expect(parseRelativeTime(text)).toEqual({ kind: 'other' })
    },
  )

  it.each([
    [
      '-2x',
      "unknown unit 'x'; units are s (seconds), m (minutes), h (hours), d (days), w (weeks), M (months), y (years)",
    ],
    [
      '@q',
      "unknown unit 'q'; units are s (seconds), m (minutes), h (hours), d (days), w (weeks), M (months), y (years)",
    ],
    ['2h', 'write -2h for the time before now, +2h for the time after it'],
    ['-1234567d', '1234567 is too large'],
    [
      'now 5m',
      "'5m' is not understood: write -2h, now-5m or -1d@d, with the units s (seconds), m (minutes), h (hours), d (days), w (weeks), M (months), y (years)",
    ],
    [
      '-',
      "'-' is not understood: write -2h, now-5m or -1d@d, with the units s (seconds), m (minutes), h (hours), d (days), w (weeks), M (months), y (years)",
    ],
    [`now${'-1d'.repeat(50)}`, 'longer than 128 characters'],
  ])('%s is refused', (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })
})

/** Nights on which clocks change, ends of months, and any time. */
const MOMENTS = [
  ...[
    '2026-03-29T01:00:00Z',
    '2026-10-25T01:00:00Z',
    '2026-03-08T07:00:00Z',
    '2026-11-01T06:00:00Z',
  ],
  ...[
    '2026-01-31T23:00:00Z',
    '2028-02-29T12:00:00Z',
    '2026-12-31T18:15:00Z',
    '2027-03-31T05:00:00Z',
  ],
].map((text) => Date.parse(text))
const UNITS = ['s', 'm', 'h', 'd', 'w', 'M', 'y'] as const

describe.each(ZONES)('in %s', (zone) => {
  it('is the same as by Temporal', () => {
    const random = makeRandom(4711)
    for (let run = 0; run < 600; run += 1) {
      const near = random.pick(MOMENTS) + (random.below(800) - 400) * 900_000
      const nowMs = near + random.below(900_000)
      const text = Array.from({ length: 1 + random.below(3) }, () =>
        random.chance(0.3)
          ? `@${random.pick(UNITS)}`
          : `${random.pick(['-', '-', '+'])}${random.below(40)}${random.pick(UNITS)}`,
      ).join('')
      const now = new Date(nowMs).toISOString()
      expect([text, now, resolve(text, now, zone)]).toEqual([
        text,
        now,
        new Date(resolveByTemporal(text, nowMs, zone)).toISOString(),
      ])
    }
  })
})
