// The forecast of an organisation's volume for the rest of its period
// (docs/reference/license-status.md, docs/decisions/0053). Pure: dates and figures in, figures out.
import { BAND_SHARE, dayWidth, sumFactor } from './band.ts'
import { addDays, daysBetween } from './calendar.ts'
import { type Ensemble, forecastFrom, makeEnsemble } from './ensemble.ts'
import { measurePastErrors } from './past-errors.ts'
import { START_DAYS } from './smoothing.ts'

/** Older days say nothing of the next ones. */
const MAX_HISTORY_DAYS = 200
/** A period that ends later is forecast up to here. */
const MAX_AHEAD_DAYS = 1100

export type UsageHistory = {
  /** YYYY-MM-DD, UTC, of the first entry. */
  readonly from: string
  /** Bytes of consecutive whole days; null: nothing was reported. The last one is yesterday. */
  readonly days: readonly (number | null)[]
  /** Of today, so far. */
  readonly todayBytes?: number
}

/** Both days are part of the period: YYYY-MM-DD, UTC. */
export type Period = { readonly from: string; readonly to: string }

export type ForecastDay = {
  readonly date: string
  readonly bytes: number
  /** The band of the day by itself. */
  readonly low: number
  readonly high: number
}

export type UsageForecast = {
  readonly kind: 'forecast'
  /** Known days of the period and forecast ones. */
  readonly bytesAtPeriodEnd: number
  /** Holds `bytesAtPeriodEnd` in `share` of all cases. */
  readonly confidence: { readonly low: number; readonly high: number; readonly share: number }
  /** In words. */
  readonly method: string
  /** Today and the days up to the end of the period. */
  readonly days: readonly ForecastDay[]
}

export type NoForecast = { readonly kind: 'none'; readonly reason: string }

export function forecastUsage(history: UsageHistory, period: Period): UsageForecast | NoForecast {
  const today = addDays(history.from, history.days.length)
  const ahead = daysBetween(today, period.to) + 1
  if (ahead <= 0) return none(`the period ended on ${period.to}`)
  if (ahead > MAX_AHEAD_DAYS)
    return none(`the period ends on ${period.to}, more than ${MAX_AHEAD_DAYS} days ahead`)
  const days = knownDays(history.days)
  const known = days.filter((value) => !Number.isNaN(value)).length
  if (known < START_DAYS || days.length < START_DAYS)
    return none(
      `a forecast needs ${START_DAYS} days of data; there ${known === 1 ? 'is 1' : `are ${known}`}`,
    )
  const ensemble = makeEnsemble(days)
  const forecast = forecastFrom(ensemble, days.length, ahead)
  const errors = measurePastErrors(ensemble, days)
  const spread = spreadOf(ensemble, days.length)
  const soFar = history.todayBytes ?? 0
  if (soFar > (forecast[0] ?? 0)) forecast[0] = soFar
  const sum = forecast.reduce((total, bytes) => total + bytes, 0)
  const factor = sumFactor(errors, spread, ahead, known)
  const width = (dayWidth(errors, spread) * sum) / ahead
  const actual = actualBytes(history, period)
  const skipped = Math.max(0, daysBetween(today, period.from))
  const counted = skipped === 0 ? sum : forecast.subarray(skipped).reduce((a, b) => a + b, 0)
  return {
    kind: 'forecast',
    bytesAtPeriodEnd: Math.round(actual + counted),
    confidence: {
      low: Math.round(actual + Math.max(counted / factor, skipped === 0 ? soFar : 0)),
      high: Math.round(actual + counted * factor),
      share: BAND_SHARE,
    },
    method: describeMethod(ensemble, known),
    days: Array.from(forecast, (bytes, at) => ({
      date: addDays(today, at),
      bytes: Math.round(bytes),
      low: Math.round(Math.max(at === 0 ? soFar : 0, bytes - width)),
      high: Math.round(bytes + width),
    })),
  }
}

function none(reason: string): NoForecast {
  return { kind: 'none', reason }
}

/** From the first day with events on. */
function knownDays(days: readonly (number | null)[]): Float64Array {
  const first = days.findIndex((value) => value !== null && value > 0)
  const used = first < 0 ? [] : days.slice(Math.max(first, days.length - MAX_HISTORY_DAYS))
  return Float64Array.from(used, (value) => value ?? Number.NaN)
}

/** Bytes of the period's whole days that are over. */
export function actualBytes({ from, days }: UsageHistory, period: Period): number {
  const first = Math.max(0, daysBetween(from, period.from))
  const end = Math.max(0, daysBetween(from, period.to) + 1)
  return days.slice(first, end).reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
}

function spreadOf({ paths, weights }: Ensemble, at: number): number {
  return paths.reduce((sum, path, of) => sum + (weights[of] ?? 0) * (path.spread[at] ?? 0), 0)
}

function describeMethod({ names, weights }: Ensemble, known: number): string {
  const best = weights.indexOf(Math.max(...weights))
  return (
    `exponential smoothing with a weekly pattern and damped growth: the mean of ${names.length} ` +
    `variants, weighed by their errors on the ${known} known days (the largest weight has ` +
    `"${names[best]}"); the band holds ${BAND_SHARE * 100} % of outcomes, measured on past forecasts`
  )
}
