// Forecasts of many days of many series, compared with what came and with "last week again".
import { forecastUsage } from '../../../portal/license/forecast/forecast-usage.ts'

const FROM = '2026-01-01'

/** Sums over forecasts. Errors are shares of the mean day, so that each series counts alike. */
export type Score = {
  forecasts: number
  /** Sum of absolute errors of days, and those of "last week again". */
  dayError: number
  naiveDayError: number
  /** The same of the sum over the horizon. */
  sumError: number
  naiveSumError: number
  days: number
  daysInBand: number
  sumsInBand: number
}

export function makeScore(): Score {
  return {
    forecasts: 0,
    dayError: 0,
    naiveDayError: 0,
    sumError: 0,
    naiveSumError: 0,
    days: 0,
    daysInBand: 0,
    sumsInBand: 0,
  }
}

export function addScores(scores: readonly Score[]): Score {
  const total = makeScore()
  for (const score of scores)
    for (const key of Object.keys(total) as (keyof Score)[]) total[key] += score[key]
  return total
}

/** Forecasts `horizon` days after each of `cuts` days; NaN or null: not known. */
export function backtest(
  series: readonly (number | null)[],
  { cuts, horizon }: { readonly cuts: readonly number[]; readonly horizon: number },
): Score {
  const score = makeScore()
  const known = series.filter((value) => value !== null)
  const scale = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  for (const cut of cuts) {
    if (cut + horizon > series.length || scale === 0) continue
    judge(score, series, { cut, horizon, scale })
  }
  return score
}

function judge(
  score: Score,
  series: readonly (number | null)[],
  { cut, horizon, scale }: { cut: number; horizon: number; scale: number },
): void {
  const first = dateOf(cut)
  const made = forecastUsage(
    { from: FROM, days: series.slice(0, cut) },
    { from: first, to: dateOf(cut + horizon - 1) },
  )
  if (made.kind === 'none') return
  const sums = { actual: 0, forecast: 0, naive: 0, count: 0, day: 0, naiveDay: 0 }
  for (const [at, day] of made.days.entries()) {
    const actual = series[cut + at] ?? null
    const naive = series[cut - 7 + (at % 7)] ?? null
    if (actual === null || naive === null) continue
    sums.count += 1
    sums.actual += actual
    sums.forecast += day.bytes
    sums.naive += naive
    sums.day += Math.abs(actual - day.bytes)
    sums.naiveDay += Math.abs(actual - naive)
    score.days += 1
    if (actual >= day.low && actual <= day.high) score.daysInBand += 1
  }
  if (sums.count < horizon / 2) return
  const part = sums.count * scale
  score.forecasts += 1
  score.dayError += sums.day / part
  score.naiveDayError += sums.naiveDay / part
  score.sumError += Math.abs(sums.actual - sums.forecast) / part
  score.naiveSumError += Math.abs(sums.actual - sums.naive) / part
  // Days that are not known are taken as forecast.
  const outcome = made.bytesAtPeriodEnd + sums.actual - sums.forecast
  if (outcome >= made.confidence.low && outcome <= made.confidence.high) score.sumsInBand += 1
}

export function dateOf(day: number): string {
  return new Date(Date.parse(FROM) + day * 86_400_000).toISOString().slice(0, 10)
}

export const ratios = (score: Score) => ({
  day: score.dayError / score.naiveDayError,
  sum: score.sumError / score.naiveSumError,
  daysInBand: score.daysInBand / score.days,
  sumsInBand: score.sumsInBand / score.forecasts,
})
