import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTimeZone, timeZone } from '../../../schemas/time/time-zone.ts'

const at = (text: string) => Date.parse(text)
const local = (text: string) => Date.parse(`${text}Z`)
const instant = (zone: string, text: string) =>
  new Date(timeZone(zone).instantOfLocal(local(text))).toISOString()

describe('time zone', () => {
  test('knows names and refuses others', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true)
    expect(isTimeZone('UTC')).toBe(true)
    expect(isTimeZone('Europe/Atlantis')).toBe(false)
    expect(isTimeZone('')).toBe(false)
  })

  test('tells the offset at an instant, to the millisecond of a change', () => {
    const berlin = timeZone('Europe/Berlin')
    expect(berlin.offsetMsAt(at('2024-03-31T00:59:59.999Z'))).toBe(3_600_000)
    expect(berlin.offsetMsAt(at('2024-03-31T01:00:00Z'))).toBe(7_200_000)
    // Lord Howe changes by half an hour, at half past the hour of UTC.
    const lordHowe = timeZone('Australia/Lord_Howe')
    expect(lordHowe.offsetMsAt(at('2024-04-06T14:59:59.999Z'))).toBe(39_600_000)
    expect(lordHowe.offsetMsAt(at('2024-04-06T15:00:00Z'))).toBe(37_800_000)
    expect(timeZone('Asia/Kathmandu').offsetMsAt(at('2024-01-01T00:00:00Z'))).toBe(20_700_000)
    // Changed at 00:44:30 UTC, within a slot.
    const monrovia = timeZone('Africa/Monrovia')
    expect(monrovia.offsetMsAt(at('1972-01-07T00:44:29Z'))).toBe(-2_670_000)
    expect(monrovia.offsetMsAt(at('1972-01-07T00:44:30Z'))).toBe(0)
  })

  test('takes a local time that does not exist as the later instant', () => {
    expect(instant('Europe/Berlin', '2024-03-31T02:30:00')).toBe('2024-03-31T01:30:00.000Z')
    expect(instant('America/New_York', '2024-03-10T02:00:00')).toBe('2024-03-10T07:00:00.000Z')
  })

  test('takes a local time that exists twice as the earlier instant', () => {
    expect(instant('Europe/Berlin', '2024-10-27T02:30:00')).toBe('2024-10-27T00:30:00.000Z')
    expect(instant('Europe/Berlin', '2024-10-27T02:00:00')).toBe('2024-10-27T00:00:00.000Z')
    expect(instant('Europe/Berlin', '2024-10-27T03:00:00')).toBe('2024-10-27T02:00:00.000Z')
    expect(instant('Europe/Berlin', '2024-10-27T01:59:59.999')).toBe('2024-10-26T23:59:59.999Z')
  })

  test('skips the day that Samoa left out', () => {
    expect(instant('Pacific/Apia', '2011-12-29T12:00:00')).toBe('2011-12-29T22:00:00.000Z')
    expect(instant('Pacific/Apia', '2011-12-31T12:00:00')).toBe('2011-12-30T22:00:00.000Z')
  })

  test('gives back every instant that is not the second of two equal readings', () => {
    const names = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kolkata']
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.integer({ min: 0, max: 4_102_444_800 }),
        (name, second) => {
          const zone = timeZone(name)
          const ms = second * 1000
          const back = zone.instantOfLocal(ms + zone.offsetMsAt(ms))
          // Twice-read hours give the earlier one, at most an hour before.
          expect(back === ms || (back < ms && ms - back <= 3_600_000)).toBe(true)
          expect(back + zone.offsetMsAt(back)).toBe(ms + zone.offsetMsAt(ms))
        },
      ),
      { numRuns: 300 },
    )
  })
})
