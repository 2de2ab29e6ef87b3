import { describe, expect, it } from 'vitest'
import {
  forecastUsage,
  type UsageForecast,
  type UsageHistory,
} from '../../../../../portal/license/forecast/forecast-usage.ts'
import { findPlanDays } from '../../../../../portal/license/forecast/plan-days.ts'

const WEEK = [100, 110, 105, 108, 102, 20, 30]
const weeks = (count: number): number[] =>
  Array.from({ length: count * 7 }, (_, day) => WEEK[day % 7] ?? 0)
const WEEK_SUM = WEEK.reduce((sum, bytes) => sum + bytes, 0)

/** 2026-01-01 is day 0; the 29th is the first day to come of four weeks. */
const FROM = '2026-01-01'
const JANUARY = { from: '2026-01-01', to: '2026-01-31' }

function mustForecast(history: UsageHistory, period = JANUARY): UsageForecast {
  const made = forecastUsage(history, period)
  if (made.kind === 'none') throw new Error(made.reason)
  return made
}

describe('the forecast of the volume', () => {
  it('repeats a week that is always the same', () => {
    const made = mustForecast({ from: FROM, days: weeks(4) })
    expect(made.days.map(({ date }) => date)).toEqual(['2026-01-29', '2026-01-30', '2026-01-31'])
    for (const [at, { bytes }] of made.days.entries())
      expect(Math.abs(bytes - (WEEK[at] ?? 0))).toBeLessThan(6)
    const expected = 4 * WEEK_SUM + 315
    expect(Math.abs(made.bytesAtPeriodEnd - expected)).toBeLessThan(12)
    expect(made.confidence.low).toBeLessThanOrEqual(made.bytesAtPeriodEnd)
    expect(made.confidence.high).toBeGreaterThanOrEqual(made.bytesAtPeriodEnd)
    expect(made.confidence.share).toBe(0.8)
    expect(made.method).toContain('weekly pattern')
  })

  it.each([
    [weeks(2).slice(0, 13), 'a forecast needs 14 days of data; there are 13'],
    [[5], 'a forecast needs 14 days of data; there is 1'],
    [[], 'a forecast needs 14 days of data; there are 0'],
    [new Array<number>(20).fill(0), 'a forecast needs 14 days of data; there are 0'],
    [
      [...new Array<null>(10).fill(null), ...weeks(1)],
      'a forecast needs 14 days of data; there are 7',
    ],
  ])('says why there is none: %#', (days, reason) => {
    expect(forecastUsage({ from: FROM, days }, JANUARY)).toEqual({ kind: 'none', reason })
  })

  it('is not made for a period that ended, or of another century', () => {
    const history = { from: FROM, days: weeks(5) }
    expect(forecastUsage(history, JANUARY)).toEqual({
      kind: 'none',
      reason: 'the period ended on 2026-01-31',
    })
    expect(forecastUsage(history, { from: FROM, to: '2126-01-01' })).toMatchObject({
      kind: 'none',
      reason: expect.stringContaining('more than 1100 days ahead'),
    })
  })

  it('counts only days of the period', () => {
    const made = mustForecast(
      { from: FROM, days: weeks(4) },
      { from: '2026-01-22', to: '2026-01-31' },
    )
    expect(Math.abs(made.bytesAtPeriodEnd - (WEEK_SUM + 315))).toBeLessThan(12)
    const later = mustForecast(
      { from: FROM, days: weeks(4) },
      { from: '2026-02-05', to: '2026-02-11' },
    )
    expect(Math.abs(later.bytesAtPeriodEnd - WEEK_SUM)).toBeLessThan(30)
  })

  it('never says less than what was counted today', () => {
    const made = mustForecast({ from: FROM, days: weeks(4), todayBytes: 900 })
    expect(made.days[0]?.bytes).toBe(900)
    expect(made.days[0]?.low).toBe(900)
    expect(made.confidence.low).toBeGreaterThanOrEqual(4 * WEEK_SUM + 900)
  })

  it('is about the same with gaps and one day of a hundred times the volume', () => {
    const days: (number | null)[] = weeks(6)
    days[20] = null
    days[21] = null
    days[30] = 10_000
    const period = { from: '2026-02-12', to: '2026-02-18' }
    const made = mustForecast({ from: FROM, days }, period)
    expect(Math.abs(made.bytesAtPeriodEnd - WEEK_SUM) / WEEK_SUM).toBeLessThan(0.25)
  })

  it('follows a customer who doubles, within two weeks', () => {
    const days = [...weeks(6), ...weeks(2).map((bytes) => bytes * 2)]
    const period = { from: '2026-02-26', to: '2026-03-04' }
    const made = mustForecast({ from: FROM, days }, period)
    expect(made.bytesAtPeriodEnd / (2 * WEEK_SUM)).toBeGreaterThan(0.85)
    expect(made.bytesAtPeriodEnd / (2 * WEEK_SUM)).toBeLessThan(1.15)
  })

  it('has figures for every odd series', () => {
    const odd = [
      [...weeks(2), ...new Array<number>(30).fill(0)],
      new Array<number>(14).fill(1e15),
      [1, ...new Array<number>(40).fill(0)],
      Array.from({ length: 60 }, (_, day) => 2 ** (day / 2)),
      [1, ...new Array<null>(20).fill(null), ...weeks(2)],
    ]
    for (const days of odd) {
      const made = mustForecast({ from: FROM, days }, { from: FROM, to: '2026-12-31' })
      for (const { bytes, low, high } of made.days) {
        expect(Number.isFinite(bytes) && low >= 0).toBe(true)
        expect(bytes).toBeGreaterThanOrEqual(low)
        expect(high).toBeGreaterThanOrEqual(bytes)
      }
      expect(Number.isFinite(made.confidence.high)).toBe(true)
    }
  })
})

describe('the days of the plan', () => {
  const history = { from: FROM, days: weeks(4) }
  const forecast = mustForecast(history)

  it('allow the volume of a day times the days of the period', () => {
    // 31 × 85 = 2,635; four weeks are 2,300, then 100, 110, 105.
    expect(findPlanDays(history, JANUARY, { volumeBytesPerDay: 81, forecast })).toEqual({
      allowedBytes: 2511,
      exceedsPlanOn: '2026-01-31',
      dayAbovePlanOn: '2026-01-29',
    })
    expect(
      findPlanDays(history, JANUARY, { volumeBytesPerDay: 85, forecast }).exceedsPlanOn,
    ).toBeNull()
  })

  it('name the day that is over, with or without a forecast', () => {
    // 31 × 60 = 1,860: three weeks are 1,725, then 100, 110.
    const past = findPlanDays(history, JANUARY, { volumeBytesPerDay: 60, forecast: undefined })
    expect(past).toMatchObject({ exceedsPlanOn: '2026-01-23', dayAbovePlanOn: null })
    expect(findPlanDays(history, JANUARY, { volumeBytesPerDay: 60, forecast }).exceedsPlanOn).toBe(
      '2026-01-23',
    )
  })
})
