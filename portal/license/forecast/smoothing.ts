// Exponential smoothing with a week and a damped trend, made robust: one odd day moves the level
// little, several in a row move it quickly (docs/decisions/0053).

export const WEEK = 7
/** Days from which the start of a smoothing is taken; none of them is judged. */
export const START_DAYS = 2 * WEEK

export type Smoothing = {
  /** Share of a day's surprise that the level takes. */
  readonly level: number
  /** Share of a surprise that the weekday takes. */
  readonly week: number
  /** Share that the growth takes; 0: no growth. */
  readonly growth: number
  /** A surprise counts up to this many typical ones. */
  readonly limit: number
}

/** What was known after each day: `level[t]` is of the first `t` days. Days before `START_DAYS` are
 *  not filled. */
export type SmoothedPath = {
  readonly level: Float64Array
  /** Relative growth a day. */
  readonly growth: Float64Array
  /** Of `t` at `t * 7`; entry `day % 7` is the weekday's factor, mean about 1. */
  readonly week: Float64Array
  /** Typical surprise of a day, as a share of the level. */
  readonly spread: Float64Array
}

const SPREAD_SHARE = 0.08
const MIN_SPREAD = 0.01
/** Growth of tomorrow, as a share of that of today. */
const DAMPING = 0.97
const MAX_GROWTH = 0.03
/** How one-sided the last surprises must be (0 to 1) before the level follows faster. */
const ONE_SIDED = 0.5
const SIDE_SHARE = 0.2

/** `days`: NaN where nothing is known. At least `START_DAYS` long. */
export function smooth(
  days: Float64Array,
  { level: levelShare, week: weekShare, growth: growthShare, limit: maxSurprises }: Smoothing,
): SmoothedPath {
  const count = days.length
  const path = {
    level: new Float64Array(count + 1),
    growth: new Float64Array(count + 1),
    week: new Float64Array((count + 1) * WEEK),
    spread: new Float64Array(count + 1),
  }
  const start = startOf(days)
  const week = start.week
  let level = start.level
  let spread = start.spread
  let growth = 0
  let side = 0
  for (let t = START_DAYS; ; t++) {
    path.level[t] = level
    path.growth[t] = growth
    path.week.set(week, t * WEEK)
    path.spread[t] = spread
    if (t === count) return path
    const value = days[t] ?? Number.NaN
    const before = level
    level *= 1 + growth
    growth *= DAMPING
    if (Number.isNaN(value)) continue
    const factor = week[t % WEEK] ?? 1
    // As a share of the level. A weekday near zero says little of the level.
    const surprise = value / level - factor
    const limit = maxSurprises * spread
    const taken = Math.max(-limit, Math.min(limit, surprise))
    side += SIDE_SHARE * (taken / limit - side)
    const haste = Math.max(0, (Math.abs(side) - ONE_SIDED) / (1 - ONE_SIDED))
    const share = levelShare + (0.6 - levelShare) * Math.min(1, haste)
    const weight = factor / (0.5 + 0.5 * factor * factor)
    level = Math.max(before * 0.2, level * (1 + share * taken * Math.min(1.3, weight)))
    level = Math.max(level, start.floor)
    growth = Math.max(-MAX_GROWTH, Math.min(MAX_GROWTH, growth + growthShare * share * taken))
    week[t % WEEK] = Math.max(0, factor + weekShare * (1 - share) * taken)
    if (t % WEEK === WEEK - 1) normalise(week)
    spread += SPREAD_SHARE * (1.25 * Math.min(Math.abs(surprise), 6 * spread) - spread)
    spread = Math.max(MIN_SPREAD, spread)
  }
}

function normalise(week: Float64Array): void {
  let sum = 0
  for (const factor of week) sum += factor
  if (sum <= 0) return
  for (let day = 0; day < WEEK; day++) week[day] = ((week[day] ?? 1) * WEEK) / sum
}

/** Of two weeks there are two values a weekday: their mean, drawn to the mean of all by this. */
const SHRINK = 0.2

function startOf(days: Float64Array) {
  const sums = new Float64Array(WEEK)
  const counts = new Float64Array(WEEK)
  let sum = 0
  let count = 0
  for (let day = 0; day < START_DAYS; day++) {
    const value = days[day] ?? Number.NaN
    if (Number.isNaN(value)) continue
    sums[day % WEEK] = (sums[day % WEEK] ?? 0) + value
    counts[day % WEEK] = (counts[day % WEEK] ?? 0) + 1
    sum += value
    count += 1
  }
  let largest = 0
  for (const value of days) if (value > largest) largest = value
  const floor = Math.max(largest * 1e-4, 1e-9)
  const level = Math.max(floor, count === 0 ? 0 : sum / count)
  const week = new Float64Array(WEEK)
  for (let day = 0; day < WEEK; day++) {
    const of = counts[day] ?? 0
    const mean = of === 0 ? 1 : (sums[day] ?? 0) / of / level
    week[day] = 1 + (1 - SHRINK) * (mean - 1)
  }
  normalise(week)
  let spread = 0
  for (let day = 0; day < START_DAYS; day++) {
    const value = days[day] ?? Number.NaN
    if (!Number.isNaN(value)) spread += Math.abs(value / level - (week[day % WEEK] ?? 1))
  }
  return { level, week, floor, spread: Math.max(0.05, (1.8 * spread) / Math.max(1, count)) }
}

const MAX_STEPS = 2000
/** By days ahead: how many times the growth of today has been added. */
const GROWN = new Float64Array(MAX_STEPS + 1)
for (let step = 1; step <= MAX_STEPS; step++) GROWN[step] = (GROWN[step - 1] ?? 0) + DAMPING ** step

/** Adds `weight` times the forecasts of the days after the first `from` days to `sums`. */
export function addForecasts(
  path: SmoothedPath,
  {
    from,
    weight,
    sums,
  }: { readonly from: number; readonly weight: number; readonly sums: Float64Array },
): void {
  const level = (path.level[from] ?? 0) * weight
  const growth = path.growth[from] ?? 0
  const week = path.week.subarray(from * WEEK, (from + 1) * WEEK)
  let weekday = from % WEEK
  for (let at = 0; at < sums.length; at++) {
    const grown = 1 + growth * (GROWN[at + 1] ?? 0)
    sums[at] = (sums[at] ?? 0) + Math.max(0, level * grown * (week[weekday] ?? 1))
    weekday = weekday === WEEK - 1 ? 0 : weekday + 1
  }
}

/** The last week again, a gap filled by the week before. */
export function repeatWeeks(days: Float64Array): SmoothedPath {
  const count = days.length
  const path = {
    level: new Float64Array(count + 1),
    growth: new Float64Array(count + 1),
    week: new Float64Array((count + 1) * WEEK),
    spread: new Float64Array(count + 1),
  }
  const last = new Float64Array(WEEK)
  for (let t = 0; t <= count; t++) {
    if (t > 0) {
      const value = days[t - 1] ?? Number.NaN
      if (!Number.isNaN(value)) last[(t - 1) % WEEK] = value
    }
    let sum = 0
    for (const value of last) sum += value
    const level = sum / WEEK
    path.level[t] = level
    for (let day = 0; day < WEEK; day++)
      path.week[t * WEEK + day] = level === 0 ? 1 : (last[day] ?? 0) / level
  }
  return path
}
