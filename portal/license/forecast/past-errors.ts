// How far off the forecasts of the series' own past were: of single days, and of sums of the next
// days. The band is made of these (docs/decisions/0053).
import { type Ensemble, forecastFrom } from './ensemble.ts'
import { START_DAYS } from './smoothing.ts'

/** Sums are judged of so many days ahead. */
const SPANS: readonly number[] = [1, 2, 3, 5, 7, 10, 14, 21, 28, 40]
const MAX_AHEAD = 40
const MAX_ORIGINS = 60
/** An error counts up to this share of what was forecast. */
const MAX_ERROR = 3
/** A forecast made of `n` days is about `1 + LEARNING / n` times as far off as one of many. */
const LEARNING = 14
/** A span is believed after so many forecasts, and this often its length in days. */
const MIN_FORECASTS = 5
const MIN_WINDOWS = 2.5

export type PastErrors = {
  /** Mean error of a sum, as a share of its forecast, by length in days; the longest last. */
  readonly sums: readonly SumError[]
  /** Mean error of a day, as a share of the mean day. Undefined: no past forecast. */
  readonly day: number | undefined
}

export type SumError = {
  readonly span: number
  readonly error: number
  /** How often the span fits into the days that were judged. */
  readonly windows: number
}

export function measurePastErrors(ensemble: Ensemble, days: Float64Array): PastErrors {
  const judged = days.length - START_DAYS
  const totals = new Float64Array(SPANS.length)
  const counts = new Float64Array(SPANS.length)
  let dayErrors = 0
  let dayCount = 0
  const step = Math.max(1, Math.floor(judged / MAX_ORIGINS))
  for (let from = days.length - 1; from >= START_DAYS; from -= step) {
    const ahead = Math.min(MAX_AHEAD, days.length - from)
    const forecast = forecastFrom(ensemble, from, ahead)
    const learned = (1 + LEARNING / days.length) / (1 + LEARNING / from)
    const sums = { actual: 0, forecast: 0 }
    let span = 0
    for (let at = 0; at < ahead; at++) {
      const expected = forecast[at] ?? 0
      const actual = valueOr(days[from + at], expected)
      sums.actual += actual
      sums.forecast += expected
      const mean = sums.forecast / (at + 1)
      if (mean > 0) {
        dayErrors += learned * Math.min(MAX_ERROR, Math.abs(actual - expected) / mean)
        dayCount += 1
      }
      if (SPANS[span] !== at + 1) continue
      const error = Math.abs(sums.actual - sums.forecast) / Math.max(sums.forecast, 1e-9)
      totals[span] = (totals[span] ?? 0) + learned * Math.min(MAX_ERROR, error)
      counts[span] = (counts[span] ?? 0) + 1
      span += 1
    }
  }
  const sums = SPANS.flatMap((span, at) => {
    const [count = 0, windows] = [counts[at], judged / span]
    const isKnown = count >= MIN_FORECASTS && windows >= MIN_WINDOWS
    return isKnown ? { span, windows, error: (totals[at] ?? 0) / count } : []
  })
  return { sums, day: dayCount === 0 ? undefined : dayErrors / dayCount }
}

function valueOr(value: number | undefined, expected: number): number {
  return value === undefined || Number.isNaN(value) ? expected : value
}
