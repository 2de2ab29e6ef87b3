import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DateReader } from '../../../../ingest/patterns/values/date-reader.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'

const RECEIVED_MS = Date.parse('2026-03-01T12:00:00Z')

/** ISO text and nanoseconds; undefined: no such date begins the text. */
function read(
  format: string,
  text: string,
  zone = 'UTC',
  locale = 'en',
  timeDiffMs = 0,
  receivedMs = RECEIVED_MS,
) {
  const reader = new DateReader(format, locale, timeDiffMs)
  const bytes = Buffer.from(`x${text}`)
  const end = reader.read(bytes, 1, bytes.length)
  if (end < 0) return undefined
  if (!reader.value(bytes, 1, end, timeZone(zone), receivedMs)) return 'unreadable'
  const rest = bytes.toString('utf8', end)
  const nanos = reader.nanos === 0 ? '' : `+${reader.nanos}`
  return `${new Date(reader.ms).toISOString()}${nanos}${rest === '' ? '' : `|${rest}`}`
}

describe('DateReader', () => {
  it.each([
    ['yyyy-MM-dd HH:mm:ss,SSS', '2026-11-20 10:00:01,123', '2026-11-20T10:00:01.123Z'],
    ['yyyy-MM-dd HH:mm:ss,SSS', '2026-11-20 10:00:01', '2026-11-20T10:00:01.000Z'],
    ['yyyy-MM-dd HH:mm:ss,SSS', '2026-11-20 10:00:01, x', '2026-11-20T10:00:01.000Z|, x'],
    [
      'HH:mm:ss.SSSSSS yyyy-MM-dd',
      '10:00:01.123456789 2026-11-20',
      '2026-11-20T10:00:01.123Z+456789',
    ],
    ['dd/MMM/yyyy:HH:mm:ss z', '17/May/2015:10:05:03 +0200', '2015-05-17T08:05:03.000Z'],
    ['dd/MMM/yyyy:HH:mm:ss z', '17/may/2015:10:05:03 EST', '2015-05-17T15:05:03.000Z'],
    ['yyyy-MM-dd HH:mm z', '2026-07-01 10:00 Europe/Berlin|', '2026-07-01T08:00:00.000Z||'],
    ['yyyy-MM-dd HH:mm z', '2026-07-01 10:00 GMT+02:00', '2026-07-01T08:00:00.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2026-07-01T10:00:00Z', '2026-07-01T10:00:00.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2026-07-01T10:00:00-05:30', '2026-07-01T15:30:00.000Z'],
    ['MMM d HH:mm:ss', 'Nov  3 09:23:38', '2025-11-03T09:23:38.000Z'],
    ['MMM dd HH:mm:ss', 'Mar  2 11:00:00', '2026-03-02T11:00:00.000Z'],
    ['MMM d HH:mm:ss', 'Feb 29 00:00:00', '2024-02-29T00:00:00.000Z'],
    ['HH:mm:ss', '11:00:00', '2026-03-01T11:00:00.000Z'],
    ['DDD HH', '366 00', '2024-12-31T00:00:00.000Z'],
    ['HH:mm:ss', '23:00:00', '2026-02-28T23:00:00.000Z'],
    ['yyyyMMddHHmmss', '20261120100001', '2026-11-20T10:00:01.000Z'],
    ['yyMMdd HHmmss', '991120 100001', '1999-11-20T10:00:01.000Z'],
    ['yyyy.DDD', '2026.032', '2026-02-01T00:00:00.000Z'],
    ['MMM d, yyyy h:mm:ss a', 'Jul 30, 2020 3:00:21 PM', '2020-07-30T15:00:21.000Z'],
    ['yyyy-MM-dd hh a', '2026-11-20 12 am', '2026-11-20T00:00:00.000Z'],
    ['yyyy-MM-dd kk', '2026-11-20 24', '2026-11-20T00:00:00.000Z'],
    ['EEE, d MMMM yyyy', 'Friday, 20 November 2026', '2026-11-20T00:00:00.000Z'],
    ["d 'de' MMM''yyyy", "3 de Jan'2026", '2026-01-03T00:00:00.000Z'],
    ['yyyy-MM-dd', '2026-02-29', undefined],
    ['yyyy-MM-dd', '2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['yyyy-MM-dd', '2026-13-01', undefined],
    ['yyyy-MM-dd HH:mm', '2026-01-01 24:00', undefined],
    ['yyyy-MM-dd HH:mm', '2026-01-01 10', undefined],
    ['yyyy-MM-dd', '1969-12-31', undefined],
    ['yyyy-MM-dd z', '1970-01-01 +0100', 'unreadable'],
  ])('%s reads %s', (format, text, expected) => {
    expect(read(format, text)).toBe(expected)
  })

  it('reads in a zone, in a language and with a difference', () => {
    expect(read('yyyy-MM-dd HH:mm', '2026-07-01 10:00', 'Europe/Berlin')).toBe(
      '2026-07-01T08:00:00.000Z',
    )
    expect(read('d. MMM yyyy', '3. März 2026', 'UTC', 'de')).toBe('2026-03-03T00:00:00.000Z')
    expect(read('d. MMMM yyyy', '3. Dezember 2026', 'UTC', 'de')).toBe('2026-12-03T00:00:00.000Z')
    expect(read('d MMM yyyy', '3 déc. 2026', 'UTC', 'fr')).toBe('2026-12-03T00:00:00.000Z')
    expect(read('yyyy-MM-dd', '2026-07-01', 'UTC', 'en', -1000)).toBe('2026-06-30T23:59:59.000Z')
  })

  it.each([
    ['HH:mm:ss', '23:59:59', '2026-03-02T00:00:05Z', '2026-03-01T23:59:59.000Z'],
    ['HH:mm:ss', '00:00:01', '2026-03-01T23:59:59Z', '2026-03-02T00:00:01.000Z'],
    ['HH:mm:ss', '13:00:00', '2026-03-01T12:00:00Z', '2026-03-01T13:00:00.000Z'],
    ['HH:mm:ss', '13:00:01', '2026-03-01T12:00:00Z', '2026-02-28T13:00:01.000Z'],
    ['HH:mm:ss z', '23:30:00 -0800', '2026-03-02T07:00:00Z', '2026-03-02T07:30:00.000Z'],
    ['MMM d HH:mm', 'Jan 1 00:01', '2026-12-31T23:59:00Z', '2027-01-01T00:01:00.000Z'],
    ['MMM d HH:mm', 'Dec 31 23:59', '2027-01-01T00:01:00Z', '2026-12-31T23:59:00.000Z'],
    ['MMM d HH:mm', 'Mar 2 12:01', '2026-03-01T12:00:00Z', '2025-03-02T12:01:00.000Z'],
    ['MMM d HH:mm', 'Feb 29 10:00', '2028-02-28T11:00:00Z', '2028-02-29T10:00:00.000Z'],
    ['MMM d HH:mm', 'Feb 29 10:00', '2028-02-28T09:00:00Z', '2024-02-29T10:00:00.000Z'],
    ['MMM d HH:mm', 'Feb 29 10:00', '2103-06-01T00:00:00Z', '2096-02-29T10:00:00.000Z'],
  ])('%s reads %s received at %s as %s', (format, text, received, expected) => {
    expect(read(format, text, 'UTC', 'en', 0, Date.parse(received))).toBe(expected)
  })

  it('takes no time alone of the future, whatever the difference', () => {
    const hour = fc.integer({ min: 0, max: 23 })
    const difference = fc.integer({ min: -200_000_000, max: 200_000_000 })
    const received = fc.integer({ min: 1e12, max: 2e12 })
    fc.assert(
      fc.property(hour, difference, received, (hours, timeDiffMs, receivedMs) => {
        const text = read('HH', String(hours).padStart(2, '0'), 'UTC', 'en', timeDiffMs, receivedMs)
        const before = receivedMs + 3_600_000 - Date.parse(text ?? '')
        expect(before).toBeGreaterThanOrEqual(0)
        expect(before).toBeLessThan(86_400_000)
      }),
    )
  })

  it('reads any moment that is written, also the same twice', () => {
    const reader = new DateReader("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
    const moment = fc.date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('2199-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moment, fc.boolean(), (date, isTwice) => {
        const bytes = Buffer.from(date.toISOString())
        for (let round = 0; round < (isTwice ? 2 : 1); round++) {
          expect(reader.value(bytes, 0, bytes.length, timeZone('UTC'), RECEIVED_MS)).toBe(true)
          expect(reader.ms).toBe(date.getTime())
        }
      }),
    )
  })
})
