import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysFromDate, type ParsedTime } from '../../../schemas/time/time-date.ts'
import {
  decodeTimeFormat,
  encodeTimeFormat,
  printTime,
  type TimeFormat,
  UNPRINTABLE,
} from '../../../schemas/time/time-format.ts'
import { parseTime } from '../../../schemas/time/time-text.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import { readCases } from '../../support/cases/read-cases.ts'
import { series } from '../../support/run/tier.ts'

const berlin = timeZone('Europe/Berlin')

function read(text: string): ParsedTime | null {
  const out = { ms: 0, nanos: 0, formatCode: 0 }
  return parseTime(text, berlin, out) ? out : null
}

function describeTime(text: string): string {
  const time = read(text)
  if (time === null) return 'unreadable'
  const instant = new Date(time.ms).toISOString().slice(0, -1)
  const isExact = time.formatCode !== UNPRINTABLE
  if (isExact) {
    expect(printTime(decodeTimeFormat(time.formatCode), time.ms, time.nanos)).toBe(text)
  }
  return `${instant}${String(time.nanos).padStart(6, '0')}Z${isExact ? ' exact' : ''}`
}

describe('time text', () => {
  const cases = readCases('split-time.txt')
  test('has its cases', () => expect(cases.length).toBeGreaterThan(50))
  test.each(cases)('$name', ({ input, result }) => expect(describeTime(input)).toBe(result))

  const format: fc.Arbitrary<TimeFormat> = fc.oneof(
    fc.record({
      kind: fc.constant('iso' as const),
      separator: fc.constantFrom('T', ' ', 't'),
      digits: fc.integer({ min: 0, max: 9 }),
      fractionMark: fc.constantFrom('.', ','),
      zone: fc.constantFrom('colon', 'basic', 'spaceColon', 'spaceBasic'),
      offsetSeconds: fc.integer({ min: -1439, max: 1439 }).map((minutes) => minutes * 60),
    }),
    fc.record({
      kind: fc.constant('mail' as const),
      offsetSeconds: fc.integer({ min: -1439, max: 1439 }).map((minutes) => minutes * 60),
    }),
  )

  test('prints what it reads: the format survives its code, the instant its text', () => {
    fc.assert(
      fc.property(
        format,
        fc.integer({ min: 86_400, max: 7_258_000_000 }),
        fc.integer({ min: 0, max: 999_999_999 }),
        (written, second, below) => {
          const digits = written.kind === 'iso' ? written.digits : 0
          const nanos = below - (below % 10 ** (9 - digits))
          const ms = second * 1000 + Math.floor(nanos / 1e6)
          expect(decodeTimeFormat(encodeTimeFormat(written))).toEqual(written)
          const text = printTime(written, ms, nanos % 1e6)
          const time = read(text)
          expect(time).toMatchObject({ ms, nanos: nanos % 1e6 })
          const code = time?.formatCode ?? 0
          expect(printTime(decodeTimeFormat(code), ms, nanos % 1e6)).toBe(text)
        },
      ),
    )
  })

  test('never prints another text than it read', () => {
    const pieces = fc.constantFrom('2023', '-', '07', '10', 'T', ' ', '11', ':', '.', ',', '5', 'Z')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        describeTime(parts.join(''))
      }),
      { numRuns: series(500, 3000) },
    )
  })

  test('prints every epoch number that it calls printable', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,20}(\.\d{1,10})?$/), (text) => {
        describeTime(text)
      }),
      { numRuns: series(330, 2000) },
    )
  })

  test('counts days as the engine does', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        const days = Math.floor(date.getTime() / 86_400_000)
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
        expect(daysFromDate(year, month + 1, day)).toBe(days)
      }),
    )
  })
})
