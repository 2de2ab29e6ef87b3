// The band that holds four outcomes of five, made of the errors of past forecasts. Its four numbers
// were chosen once on the tuned families and real series (docs/decisions/0053).
import type { PastErrors } from './past-errors.ts'

/** The share of outcomes that the band should hold. */
export const BAND_SHARE = 0.8

/** Of four errors in five, the largest is about this many mean ones. */
const SUM_WIDTH = 1.92
const DAY_WIDTH = 1.8
/** A sum of twice the days that were judged is this power of two as far off. */
const BEYOND = 0.15
/** The error that is expected before any was seen, as a share of the usual surprise of a day. */
const UNSEEN = 0.41
/** Weight of that expectation, in windows; and how much wider a band of one window is. */
const UNSEEN_WINDOWS = 1
const FEW_WINDOWS = 0.25
const MAX_LOG_WIDTH = 1.6
/** However regular the known days were, the level may change: no band of a sum is narrower than
 *  this, plus a part that shrinks with the square of the known days, and another with the days of
 *  the sum. */
const LEAST = 0.045
const LEAST_FEW_DAYS = 14
const LEAST_SHORT_SUM = 0.6

/** A forecast sum of `span` days, made of `knownDays`, is too low or too high by at most this
 *  factor. */
export function sumFactor(
  errors: PastErrors,
  spread: number,
  span: number,
  knownDays: number,
): number {
  const least = (LEAST + LEAST_FEW_DAYS / knownDays ** 2) * (1 + LEAST_SHORT_SUM / span)
  return Math.exp(Math.min(MAX_LOG_WIDTH, Math.max(least, logWidth(errors, spread, span))))
}

function logWidth(errors: PastErrors, spread: number, span: number): number {
  const known = errors.sums.findLast((sum) => sum.span <= span)
  const unseen = UNSEEN * spread
  if (!known) return unseen * SUM_WIDTH * Math.exp(FEW_WINDOWS)
  const { error, windows } = known
  const mixed = (windows * error + UNSEEN_WINDOWS * unseen) / (windows + UNSEEN_WINDOWS)
  const beyond = (span / known.span) ** BEYOND
  return mixed * beyond * SUM_WIDTH * Math.exp(FEW_WINDOWS / windows)
}

/** What a day may be above or below its forecast, as a share of the mean day. */
export function dayWidth(errors: PastErrors, spread: number): number {
  return DAY_WIDTH * (errors.day ?? spread)
}
