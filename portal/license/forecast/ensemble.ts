// Several smoothings, weighed by how well each did on the series' own past: after many forecasts
// from many days, what counts is the error of the next two weeks (docs/decisions/0053).
import {
  addForecasts,
  repeatWeeks,
  type SmoothedPath,
  type Smoothing,
  START_DAYS,
  smooth,
} from './smoothing.ts'

type Variant = {
  readonly name: string
  readonly smoothing: Smoothing
  /** What is known of it before it was tried on the series. */
  readonly trust: number
}

const VARIANTS: readonly Variant[] = [
  { name: 'slow level', trust: 0.5, smoothing: { level: 0.03, week: 0.2, growth: 0, limit: 3 } },
  { name: 'calm level', trust: 1, smoothing: { level: 0.08, week: 0.3, growth: 0, limit: 3 } },
  { name: 'usual level', trust: 1.5, smoothing: { level: 0.2, week: 0.3, growth: 0, limit: 3 } },
  { name: 'quick level', trust: 1, smoothing: { level: 0.45, week: 0.3, growth: 0, limit: 3 } },
  {
    name: 'every day counts',
    trust: 1,
    smoothing: { level: 0.25, week: 0.3, growth: 0, limit: 50 },
  },
  { name: 'calm growth', trust: 1, smoothing: { level: 0.1, week: 0.2, growth: 0.1, limit: 3 } },
  { name: 'quick growth', trust: 1, smoothing: { level: 0.25, week: 0.2, growth: 0.1, limit: 3 } },
]
const LAST_WEEK = { name: 'last week again', trust: 1 }
const NAMES = [...VARIANTS, LAST_WEEK].map(({ name }) => name)
const TRUST = [...VARIANTS, LAST_WEEK].map(({ trust }) => trust)

/** Days ahead that are judged. */
const JUDGED_DAYS = 14
const MAX_ORIGINS = 40
/** Days after which a past forecast counts half. */
const HALF_LIFE = 28
/** The higher, the more the best one counts. */
const SHARPNESS = 5
/** Added to every error, as a share of the mean one; half of it after so many judged days. */
const DOUBT = 0.3
const DOUBT_DAYS = 12

export type Ensemble = {
  readonly names: readonly string[]
  readonly paths: readonly SmoothedPath[]
  readonly weights: readonly number[]
}

export function makeEnsemble(days: Float64Array): Ensemble {
  const paths = [...VARIANTS.map(({ smoothing }) => smooth(days, smoothing)), repeatWeeks(days)]
  return { names: NAMES, paths, weights: weigh(paths, days) }
}

function weigh(paths: readonly SmoothedPath[], days: Float64Array): number[] {
  const count = days.length
  const step = Math.max(1, Math.floor((count - START_DAYS) / MAX_ORIGINS))
  const errors = new Float64Array(paths.length)
  const all = new Float64Array(JUDGED_DAYS)
  let total = 0
  for (let from = count - 1; from >= START_DAYS; from -= step) {
    const ahead = Math.min(JUDGED_DAYS, count - from)
    const weight = 0.5 ** ((count - from) / HALF_LIFE) * ahead
    total += weight
    const forecast = all.subarray(0, ahead)
    for (const [at, path] of paths.entries())
      errors[at] = (errors[at] ?? 0) + weight * judge(path, days, { from, forecast })
  }
  const meanError =
    total === 0 ? 1 : errors.reduce((sum, error) => sum + error, 0) / errors.length / total
  // Of few past forecasts little is believed.
  const doubt = ((0.05 + DOUBT * meanError) * DOUBT_DAYS) / (DOUBT_DAYS + total)
  const scores = paths.map((_, at) => {
    const error = total === 0 ? 0 : (errors[at] ?? 0) / total
    return (TRUST[at] ?? 1) * (error + doubt) ** -SHARPNESS
  })
  const sum = scores.reduce((all, score) => all + score, 0)
  return scores.map((score) => score / sum)
}

/** Error of the days and of their sum, as shares of the level. `forecast` is filled anew. */
function judge(
  path: SmoothedPath,
  days: Float64Array,
  { from, forecast }: { readonly from: number; readonly forecast: Float64Array },
): number {
  forecast.fill(0)
  addForecasts(path, { from, weight: 1, sums: forecast })
  let absolute = 0
  let sum = 0
  let count = 0
  for (let at = 0; at < forecast.length; at++) {
    const value = days[from + at] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const error = value - (forecast[at] ?? 0)
    absolute += Math.abs(error)
    sum += error
    count += 1
  }
  if (count === 0) return 0
  return (0.5 * absolute + Math.abs(sum)) / count / (path.level[from] || 1)
}

/** Forecasts of the days after the first `from` days. */
export function forecastFrom(
  { paths, weights }: Ensemble,
  from: number,
  ahead: number,
): Float64Array {
  const sums = new Float64Array(ahead)
  for (let at = 0; at < paths.length; at++) {
    const path = paths[at]
    if (path) addForecasts(path, { from, weight: weights[at] ?? 0, sums })
  }
  return sums
}
