import { describe, expect, it } from 'vitest'
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { utcMsToLocal } from '../../../schemas/time/local-time.ts'
import {
  FIXED_INTERVALS,
  parseExplicitTime,
  parseFixedInterval,
  windowOfInterval,
} from '../../../schemas/time/time-window.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'

const HOUR = 3_600_000
const berlin = timeZone('Europe/Berlin')
const format = compileDateFormat('MM/dd/yyyy HH:mm:ss')

/** Independent of the code under test: what Intl's wall clock shows. */
const formats = new Map<string, Intl.DateTimeFormat>()
function intlFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options)
  const made = formats.get(key) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...options })
  formats.set(key, made)
  return made
}
const wallClock = (instantMs: number, zone: string) =>
  intlFormat(zone, { dateStyle: 'short', timeStyle: 'medium' }).format(instantMs)
const weekday = (instantMs: number, zone: string) =>
  intlFormat(zone, { weekday: 'short' }).format(instantMs)

describe('rolling intervals', () => {
  it.each([
    ['last15Minutes', HOUR / 4],
    ['last30Minutes', HOUR / 2],
    ['last60Minutes', HOUR],
    ['last3Hours', 3 * HOUR],
    ['last12Hours', 12 * HOUR],
    ['last24Hours', 24 * HOUR],
    ['last7Days', 168 * HOUR],
    ['last14Days', 336 * HOUR],
  ] as const)(
    '%s ends now and is as long as it says, also over a change of the clock',
    (name, ms) => {
      const nowMs = Date.parse('2026-03-29T02:30:00Z')
      expect(windowOfInterval(name, nowMs, berlin)).toEqual({ startMs: nowMs - ms, endMs: nowMs })
    },
  )

  it.each([
    ['last1Months', '2026-03-31T10:00:00Z', '2026-02-28 12:00:00'],
    ['last1Months', '2028-03-30T10:00:00Z', '2028-02-29 12:00:00'],
    ['last1Months', '2026-01-15T11:00:00Z', '2025-12-15 12:00:00'],
    ['last6Months', '2026-08-31T10:00:00Z', '2026-02-28 12:00:00'],
    ['last6Months', '2026-03-15T11:00:00Z', '2025-09-15 12:00:00'],
    // One month before does not exist: 02:30 of the day the clock goes forward.
    ['last1Months', '2026-04-29T00:30:00Z', '2026-03-29 03:30:00'],
  ] as const)('%s at %s starts at the local time %s', (name, now, expected) => {
    const nowMs = Date.parse(now)
    const window = windowOfInterval(name, nowMs, berlin)
    expect(wallClock(window.startMs, 'Europe/Berlin')).toBe(expected)
    expect(window.endMs).toBe(nowMs)
  })
})

describe('calendar intervals', () => {
  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
    'follow the wall clock of %s through a year',
    (name) => {
      const zone = timeZone(name)
      const end = Date.parse('2027-01-02T00:00:00Z')
      const lengths = new Set<number>()
      for (let nowMs = Date.parse('2026-01-01T00:17:00Z'); nowMs < end; nowMs += 3 * HOUR) {
        const day = windowOfInterval('currentDay', nowMs, zone)
        const previousDay = windowOfInterval('previousDay', nowMs, zone)
        const week = windowOfInterval('currentWeek', nowMs, zone)
        const previousWeek = windowOfInterval('previousWeek', nowMs, zone)
        const today = wallClock(nowMs, name).slice(0, 10)
        if (wallClock(day.startMs, name) !== `${today} 00:00:00`)
          throw new Error(`${name} ${today}: ${wallClock(day.startMs, name)}`)
        expect(day.startMs <= nowMs && nowMs < day.endMs).toBe(true)
        expect(previousDay.endMs).toBe(day.startMs)
        expect(weekday(week.startMs, name)).toBe('mån')
        expect(wallClock(week.startMs, name).slice(11)).toBe('00:00:00')
        expect(week.startMs <= nowMs && nowMs < week.endMs).toBe(true)
        expect(previousWeek.endMs).toBe(week.startMs)
        lengths.add((day.endMs - day.startMs) / HOUR)
        lengths.add((week.endMs - week.startMs) / HOUR)
      }
      const change = name === 'Asia/Kathmandu' ? 0 : name === 'Australia/Lord_Howe' ? 0.5 : 1
      const expected = [24, 168].flatMap((hours) => [hours - change, hours, hours + change])
      expect([...lengths].sort((a, b) => a - b)).toEqual([...new Set(expected)])
    },
  )

  it('start a day whose midnight does not exist at its first moment', () => {
    const zone = timeZone('America/Sao_Paulo')
    const window = windowOfInterval('currentDay', Date.parse('2018-11-04T15:00:00Z'), zone)
    expect(wallClock(window.startMs, zone.name)).toBe('2018-11-04 01:00:00')
    expect((window.endMs - window.startMs) / HOUR).toBe(23)
  })

  it('hold everything for allData, whenever it is asked', () => {
    const window = windowOfInterval('allData', 5, berlin)
    expect(window).toEqual({ startMs: null, endMs: null })
  })

  it('know their names to the letter', () => {
    for (const name of FIXED_INTERVALS) expect(parseFixedInterval(name)).toBe(name)
    for (const name of ['', 'alldata', 'last2Hours', '__proto__'])
      expect(parseFixedInterval(name)).toBeUndefined()
  })
})

describe('explicit times', () => {
  const startOf = (text: string) => {
    const time = parseExplicitTime(text, format, berlin)
    return time && new Date(time.startMs).toISOString()
  }

  it.each([
    ['06/01/2026 12:00:00', '2026-06-01T10:00:00.000Z'],
    ['01/01/2026 12:00:00', '2026-01-01T11:00:00.000Z'],
    // 02:30 does not exist: the later; 02:30 exists twice: the earlier (decision 4.3).
    ['03/29/2026 02:30:00', '2026-03-29T01:30:00.000Z'],
    ['10/25/2026 02:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026-06-01', '2026-05-31T22:00:00.000Z'],
    ['2026-06-01T12:00', '2026-06-01T10:00:00.000Z'],
    ['2026-06-01 12:00:00', '2026-06-01T10:00:00.000Z'],
    ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01T12:00:00.123456789-05:30', '2026-06-01T17:30:00.123Z'],
    ['2026-06-01T12:00:00,5+02', '2026-06-01T10:00:00.500Z'],
    ['2026-06-01T12:00:00+0200', '2026-06-01T10:00:00.000Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(startOf(text)).toBe(expected)
  })

  it.each([
    '',
    'now',
    '1780000000',
    '6/1/2026 12:00:00',
    '06/01/2026',
    '06/01/2026 12:00:00.5',
    '2026-6-1',
    '2026-13-01',
    '2026-02-29',
    '2026-06-01T24:00:00',
    '2026-06-01T12:00:60',
    '2026-06-01T12',
    '2026-06-01T12:00:00+25:00',
    '2026-06-01T12:00:00+01:60',
    '2026-06-01T12:00:00 Z',
    '2026-06-01Z',
    "2026-06-01' OR 1=1 --",
  ])('refuses %j', (text) => {
    expect(startOf(text)).toBeUndefined()
  })

  it('lets a window that ends at a time hold its second, or its millisecond when one is written', () => {
    const length = (text: string) => {
      const time = parseExplicitTime(text, format, berlin)
      return time && time.endMs - time.startMs
    }
    expect(length('06/01/2026 12:00:00')).toBe(1000)
    expect(length('2026-06-01T12:00:00Z')).toBe(1000)
    expect(length('2026-06-01T12:00:00.000Z')).toBe(1)
  })

  it('reads an offset of the system format itself', () => {
    const zoned = compileDateFormat('yyyy-MM-dd HH:mm:ss.SSS Z')
    const time = parseExplicitTime('2026-06-01 12:00:00.007 -0100', zoned, berlin)
    expect(time && utcMsToLocal(time.startMs)).toMatchObject({ hour: 13, millisecond: 7 })
  })
})
