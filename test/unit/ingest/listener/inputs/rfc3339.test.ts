// Times of CloudEvents: what the listener accepts, the writer can read.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isReadableRfc3339 } from '../../../../../ingest/listener/inputs/cloudevents/rfc3339.ts'
import { parseTime } from '../../../../../schemas/time/time-text.ts'
import { timeZone } from '../../../../../schemas/time/time-zone.ts'
import { series } from '../../../../support/run/tier.ts'

const read = (text: string) => isReadableRfc3339(Buffer.from(text), 0, text.length)

describe('a time of RFC 3339', () => {
  it.each([
    ['1970-01-01T00:00:00Z', true],
    ['1969-12-31T23:59:59Z', false],
    ['1969-12-31T23:00:00-01:00', true],
    ['1970-01-01T00:00:00+00:01', false],
    ['2199-12-31T23:59:59.999Z', true],
    ['2199-12-31T23:59:60Z', false],
    ['2199-12-31T23:59:59-00:01', false],
    ['2200-01-01T00:00:00Z', false],
    ['2200-01-01T00:00:00+00:01', true],
    ['0001-01-01T00:00:00Z', false],
    ['9999-12-31T23:59:59Z', false],
    ['2016-12-31T23:59:60Z', true],
    [`2026-01-01T00:00:00.${'1'.repeat(107)}Z`, true],
    [`2026-01-01T00:00:00.${'1'.repeat(108)}Z`, false],
  ])('%s is accepted where it can be read: %s', (text, isAccepted) => {
    expect(read(text)).toBe(isAccepted)
  })

  it('that is accepted is read by the writer', () => {
    const number = (most: number, digits: number) =>
      fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(digits, '0'))
    const year = fc.oneof(number(9999, 4), fc.constantFrom('1969', '1970', '2199', '2200'))
    const zone = fc.oneof(
      fc.constantFrom('Z', 'z'),
      fc
        .tuple(fc.constantFrom('+', '-'), number(24, 2), number(60, 2))
        .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    )
    const fraction = fc.oneof(
      fc.constant(''),
      fc.nat().map((digits) => `.${digits}`),
    )
    const date = fc.tuple(year, number(13, 2), number(32, 2)).map((parts) => parts.join('-'))
    const clock = fc.tuple(number(24, 2), number(60, 2), number(61, 2))
    const out = { ms: 0, nanos: 0, formatCode: 0 }
    fc.assert(
      fc.property(date, fc.constantFrom('T', 't', ' '), clock, fraction, zone, (...parts) => {
        const [day, mark, time, rest, offset] = parts
        const text = `${day}${mark}${time.join(':')}${rest}${offset}`
        if (read(text)) expect(parseTime(text, timeZone('UTC'), out), text).toBe(true)
      }),
      { numRuns: series(830, 5000) },
    )
  })
})
