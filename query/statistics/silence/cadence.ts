// How a source usually sends: how many events in which hours of the week. From that comes how
// surprising a silence is, and how surprising it must be to be told (decision 0098). Pure.
//
// All times are numbers of quarters of an hour since 1970.

const DAY = 96
const WEEK = 7 * DAY
const MONTH = 30 * DAY
/** What is learned from; older habits are gone. */
export const LEARNED_QUARTERS = 8 * WEEK
/** A younger source has no habit yet, nor one that was seen in fewer quarters. */
const YOUNGEST = 3 * DAY
const LEAST_PRESENT = 12
/** How the source did lately beside its habit is seen over so long. */
const LATELY = 2 * DAY
/** Of all pauses of so many months one would be told falsely, if they were independent. */
const MONTHS_A_FALSE_ALARM = 3
/** A silence must surprise so much more than the pauses that ended by themselves. */
const GUARD = 1.15
const LEAST_LIMIT = 5.5
const SOON = 1.5
/** Steps that the habit of the same hour of other days counts as, beside the hour's own. */
const PRIOR = 4
/** Quarters that are looked at as one, and how much an empty one surprises at most: three quarters
 *  of an hour may be enough, two never are. */
const SCALES = [
  { width: 1, most: 2.5 },
  { width: 4, most: 4 },
  { width: DAY, most: 7 },
]

/** `to` is not in it. */
export type Span = { readonly from: number; readonly to: number }

export type Seen = {
  /** Quarters with events, ascending, each once. */
  readonly quarters: readonly number[]
  /** Events of each. */
  readonly events: readonly number[]
  /** Silences that were told, or expected: nothing is learned from them. Ascending. */
  readonly outages: readonly Span[]
}

type Scale = {
  readonly width: number
  /** −ln of the chance that such a step is empty, by hour or day of the week. */
  readonly surprise: Float64Array
  /** A silence is told above it. */
  readonly limit: number
}

export type Cadence = { readonly scales: readonly Scale[] }

/** What was seen before `end`. Undefined: no habit yet. */
export function learnCadence(seen: Seen, end: number): Cadence | undefined {
  const quarters = seen.quarters.filter((it) => it >= end - LEARNED_QUARTERS && it < end)
  const [first] = quarters
  const last = quarters.at(-1)
  if (first === undefined || last === undefined) return undefined
  if (quarters.length < LEAST_PRESENT || end - first < YOUNGEST) return undefined
  // A silence that goes on is judged, not learned.
  const span = { from: first, to: last + 1 }
  return { scales: SCALES.map((scale) => learnScale(seen, span, scale)) }
}

/** Of a source whose last quarter with events was `last`; `now` has not ended yet. */
export function isSilent(cadence: Cadence, last: number, now: number): boolean {
  return cadence.scales.some((scale) => surpriseOf(scale, last + 1, now) > scale.limit)
}

function learnScale(seen: Seen, span: Span, { width, most }: (typeof SCALES)[number]): Scale {
  const chances = learnChances(makeSteps(seen, span, width))
  const surprise = chances.map((it) => Math.min(most, -Math.log(it)))
  const scale = { width, surprise, limit: 0 }
  return { ...scale, limit: limitOf(seen, span, scale, pausesOf(chances)) }
}

/** Pauses of a step. */
function pausesOf(chances: Float64Array): number {
  return chances.reduce((sum, it) => sum + it * (1 - it), 0) / chances.length
}

type Steps = {
  readonly slots: number
  /** In order: slot of the week, and events; without those of outages. */
  readonly slot: readonly number[]
  readonly events: readonly number[]
  readonly lately: number
}

function makeSteps({ quarters, events, outages }: Seen, { from, to }: Span, width: number): Steps {
  const slots = width === DAY ? 7 : 168
  const sums = new Map<number, number>()
  quarters.forEach((quarter, index) => {
    const step = Math.floor(quarter / width)
    sums.set(step, (sums.get(step) ?? 0) + (events[index] ?? 0))
  })
  const slot: number[] = []
  const counts: number[] = []
  let lately = 0
  for (let step = Math.ceil(from / width); step < Math.floor(to / width); step += 1) {
    const [begin, end] = [step * width, (step + 1) * width]
    if (outages.some((it) => it.from < end && begin < it.to)) continue
    slot.push(slotOf(begin, slots))
    counts.push(sums.get(step) ?? 0)
    if (begin >= to - LATELY) lately += 1
  }
  return { slots, slot, events: counts, lately }
}

/** That a step is empty, by hour or day of the week. */
function learnChances({ slots, slot, events, lately }: Steps): Float64Array {
  const own = new Sums(slots)
  const alike = new Sums((2 * slots) / 7)
  const everywhere = new Sums(1)
  slot.forEach((at, index) => {
    const count = events[index] ?? 0
    own.add(at, count)
    alike.add(kindOf(at, slots), count)
    everywhere.add(0, count)
  })
  const share = new Float64Array(slots)
  const mean = new Float64Array(slots)
  const all = {
    empty: (everywhere.at(0).empty + 0.5) / (slot.length + 1),
    mean: everywhere.at(0).sum / Math.max(1, slot.length),
  }
  for (let at = 0; at < slots; at += 1) {
    const general = alike.at(kindOf(at, slots))
    // Of a weekend that was never seen nothing is known.
    const isKnown = general.count > 0
    const rest = general.count + PRIOR
    const prior = {
      empty: isKnown ? (general.empty + PRIOR * all.empty) / rest : 1,
      mean: isKnown ? (general.sum + PRIOR * all.mean) / rest : 0,
    }
    const { count, empty, sum } = own.at(at)
    // An hour in which nothing ever came tells nothing, however many of it pass.
    const isQuiet = empty === count && general.empty === general.count
    share[at] = isQuiet ? 1 : (empty + PRIOR * prior.empty) / (count + PRIOR)
    mean[at] = (sum + PRIOR * prior.mean) / (count + PRIOR)
  }
  const spread = spreadOf(slot, events, mean)
  const level = levelOf(slot, events, mean, lately)
  const chance = Float64Array.from(share, (empty, at) => {
    const expected = (mean[at] ?? 0) * level
    return Math.max(empty, expected === 0 ? 1 : (1 + expected / spread) ** -spread)
  })
  return Float64Array.from(chance, (_, at) => {
    // Habits begin now earlier, now later, and an hour apart in summer and winter.
    const near = slots === 7 ? [0] : [-1, 0, 1]
    return Math.min(1, Math.max(...near.map((by) => chance[(at + by + slots) % slots] ?? 1)))
  })
}

/** Of a negative binomial: small for bursts, large for steady senders. */
function spreadOf(slot: readonly number[], events: readonly number[], mean: Float64Array): number {
  let [squares, excess] = [0, 0]
  slot.forEach((at, index) => {
    const expected = mean[at] ?? 0
    squares += expected ** 2
    excess += ((events[index] ?? 0) - expected) ** 2 - expected
  })
  return excess <= 0 ? 1000 : Math.min(1000, Math.max(0.05, squares / excess))
}

/** How much less than its habit a source sent lately; at most 1. */
function levelOf(
  slot: readonly number[],
  events: readonly number[],
  mean: Float64Array,
  lately: number,
): number {
  let [were, expected] = [0, 0]
  for (let index = slot.length - lately; index < slot.length; index += 1) {
    were += events[index] ?? 0
    expected += mean[slot[index] ?? 0] ?? 0
  }
  // So that a quiet weekend says nothing.
  const some = (mean.reduce((sum, it) => sum + it, 0) / mean.length) * (lately / 4)
  return some === 0 ? 1 : Math.min(1, (were + some) / (expected + some))
}

/** Above what the pauses of the past, which ended by themselves, would have been told too often. */
function limitOf(
  { quarters, outages }: Seen,
  { from, to }: Span,
  scale: Scale,
  pausesAStep: number,
): number {
  const begin = Math.max(from, to - MONTH)
  const pauses = quarters.flatMap((quarter, index) => {
    const before = quarters[index - 1]
    if (before === undefined || before < begin || quarter >= to || quarter - before < 2) return []
    const surprise = surpriseOf(scale, before + 1, quarter)
    const isTold = outages.some((it) => it.from < quarter && before < it.to)
    return surprise === 0 ? [] : [{ surprise, isTold }]
  })
  const seen = pauses.filter(({ isTold }) => !isTold).length
  const perMonth = Math.max((seen * MONTH) / (to - begin), (pausesAStep * MONTH) / scale.width)
  const least = Math.max(LEAST_LIMIT, Math.log(Math.max(1, perMonth * MONTHS_A_FALSE_ALARM)))
  // What was told and ended soon was no outage that anybody knows of.
  const harmless = pauses.filter(({ surprise, isTold }) => !isTold || surprise < SOON * least)
  const worst = harmless.reduce((most, { surprise }) => Math.max(most, surprise), 0)
  // What was seen for a short time is known badly.
  return Math.max(least, GUARD * worst) * (1 + WEEK / 2 / (to - from))
}

/** Whole steps alone count. */
function surpriseOf({ width, surprise }: Scale, from: number, to: number): number {
  let sum = 0
  const end = Math.floor(to / width)
  for (let step = Math.ceil(from / width); step < end; step += 1)
    sum += surprise[slotOf(step * width, surprise.length)] ?? 0
  return sum
}

/** 1970 began on a Thursday. */
function slotOf(quarter: number, slots: number): number {
  return Math.floor((((quarter + 3 * DAY) % WEEK) * slots) / WEEK)
}

/** The same hour of all workdays, or of the weekend. */
function kindOf(slot: number, slots: number): number {
  const aDay = slots / 7
  return (slot % aDay) + (slot >= 5 * aDay ? aDay : 0)
}

class Sums {
  readonly #all: { count: number; empty: number; sum: number }[]

  constructor(keys: number) {
    this.#all = Array.from({ length: keys }, () => ({ count: 0, empty: 0, sum: 0 }))
  }

  at(key: number): { readonly count: number; readonly empty: number; readonly sum: number } {
    return this.#all[key] ?? { count: 0, empty: 0, sum: 0 }
  }

  add(key: number, events: number): void {
    const one = this.#all[key]
    if (one === undefined) return
    one.count += 1
    one.empty += events === 0 ? 1 : 0
    one.sum += events
  }
}
