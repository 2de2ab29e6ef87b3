// How many events of an hour are expected, with a band: by the hour of the week, and by the level
// of late (docs/decisions/0122). Each hour is judged by what was known before it; what lies far off
// teaches little. Pure.

const DAY = 24
const WEEK = 7 * DAY
/** Hours that are learned from at most, and at least. */
export const LEARNED_HOURS = 8 * WEEK
const YOUNGEST = 10 * DAY
/** How fast the habit of an hour of the week, and of the same hour of all workdays or weekend days,
 *  follow, in logarithms. */
const WEEKLY = 0.3
const DAILY = 0.12
/** How fast the level and the noise follow. */
const LEVEL = 0.05
const NOISE = 0.01
/** Of the hour's own habit beside that of the same hour of other days. */
const OWN = 0.6
/** In spreads: what is far off teaches no more, and what is told lies beyond. */
const MOST_TAUGHT = 2.5
const LEAST_LIMIT = 3.5
/** Hours of the past, of a thousand, that lay beyond the limit. */
const BEYOND = 16
/** Hours that are looked at as one: short bursts, and what is a little too much for long. */
const WIDTHS = [1, 6, 12]
const SIDES = WIDTHS.flatMap((_, at) => [
  { at, sign: 1 },
  { at, sign: -1 },
])
const MAX_LEVEL = Math.log(4)

export type Judged = {
  readonly expected: number
  readonly low: number
  readonly high: number
  readonly isOutside: boolean
}

/** `counts`: of each hour, the last one is judged; `firstHour`: of the first one, since 1970. Empty
 *  hours before the first event are left out. Undefined: too young for a habit. */
export function judgeHour(counts: readonly number[], firstHour: number): Judged | undefined {
  return judgeHours(counts, firstHour).at(-1)
}

/** Each hour by what came before it alone. */
export function judgeHours(
  counts: readonly number[],
  firstHour: number,
): readonly (Judged | undefined)[] {
  const begin = counts.findIndex((count) => count > 0)
  const habit = new Habit()
  return counts.map((count, at) => {
    if (begin < 0 || at < begin) return undefined
    return habit.next(count, firstHour + at, at - begin)
  })
}

class Habit {
  /** Logarithms of one more than the count. */
  readonly #weekly = new Float64Array(WEEK).fill(Number.NaN)
  readonly #daily = new Float64Array(2 * DAY).fill(Number.NaN)
  #level = 0
  /** Of the residuals beyond chance: squares, by the same hour of all workdays or weekend days, and
   *  of all. */
  readonly #noise = new Float64Array(2 * DAY).fill(0.05)
  #allNoise = 0.05
  readonly #past: number[] = []
  readonly #limits = SIDES.map(() => LEAST_LIMIT)
  readonly #worst: number[][] = SIDES.map(() => [])
  /** The largest count that was not outside. */
  #most = 0
  #n = 0

  next(count: number, hour: number, age: number): Judged | undefined {
    const [slot, kind] = slotsOf(hour)
    const habit = this.#habit(slot, kind)
    const expected = Math.max(0, habit + this.#level)
    const residual = Math.log1p(count) - expected
    const byChance = Math.exp(-expected)
    const noise = 0.5 * (this.#noise[kind] ?? 0) + 0.5 * this.#allNoise
    const spread = Math.sqrt(byChance + noise)
    const scaled = residual / spread
    const sums = WIDTHS.map((width) => {
      const last = [...this.#past, scaled].slice(-width)
      return last.reduce((sum, it) => sum + it, 0) / Math.sqrt(width)
    })
    const isKnown = age >= YOUNGEST
    const isOutside =
      isKnown &&
      (count > 2 * this.#most + 5 * Math.sqrt(this.#most) + 10 ||
        SIDES.some(({ at, sign }, side) => sign * (sums[at] ?? 0) > (this.#limits[side] ?? 0)))
    const [up = 0, down = 0] = this.#limits
    const low = Math.max(0, Math.expm1(expected - down * spread))
    const high = Math.expm1(expected + up * spread)
    this.#learn({ count, habit, expected, residual, byChance, spread, slot, kind, age })
    if (!isOutside) this.#most = Math.max(this.#most, count)
    this.#note(scaled, sums, isOutside, age)
    if (!isKnown) return undefined
    return { expected: Math.expm1(expected), low, high, isOutside }
  }

  #learn(of: {
    readonly count: number
    readonly habit: number
    readonly expected: number
    readonly residual: number
    readonly byChance: number
    readonly spread: number
    readonly slot: number
    readonly kind: number
    readonly age: number
  }): void {
    const { count, habit, expected, residual, byChance, spread, slot, kind, age } = of
    const isKnown = age >= YOUNGEST
    const clipped = Math.max(-MOST_TAUGHT * spread, Math.min(MOST_TAUGHT * spread, residual))
    const taken = isKnown ? expected + clipped : Math.log1p(count)
    follow(this.#weekly, slot, taken - this.#level, WEEKLY)
    follow(this.#daily, kind, taken - this.#level, DAILY)
    if (isKnown) {
      const weight = LEVEL * (1 - byChance)
      const level = this.#level + weight * (taken - habit - this.#level)
      this.#level = Math.max(-MAX_LEVEL, Math.min(MAX_LEVEL, level))
    }
    if (age >= WEEK) {
      const beyond = Math.max(0, clipped ** 2 - byChance)
      this.#noise[kind] = (this.#noise[kind] ?? 0) * (1 - NOISE * 4) + beyond * NOISE * 4
      this.#allNoise = this.#allNoise * (1 - NOISE) + beyond * NOISE
    }
  }

  /** A logarithm; of an hour that was never seen, what the others have. */
  #habit(slot: number, kind: number): number {
    const weekly = this.#weekly[slot] ?? Number.NaN
    const daily = this.#daily[kind] ?? Number.NaN
    if (Number.isNaN(weekly)) return Number.isNaN(daily) ? this.#mean() : daily
    return OWN * weekly + (1 - OWN) * daily
  }

  #mean(): number {
    const known = this.#daily.filter((it) => !Number.isNaN(it))
    return known.length === 0 ? 0 : known.reduce((sum, it) => sum + it, 0) / known.length
  }

  #note(scaled: number, sums: readonly number[], out: boolean, age: number): void {
    this.#past.push(scaled)
    if (this.#past.length > DAY) this.#past.shift()
    this.#n += 1
    if (age < WEEK + DAY) return
    SIDES.forEach(({ at: width, sign }, at) => {
      const worst = this.#worst[at] ?? []
      if (!out) worst.push(sign * (sums[width] ?? 0))
      if (worst.length > LEARNED_HOURS) worst.shift()
      if (this.#n % DAY !== 0) return
      const sorted = [...worst].sort((a, b) => b - a)
      const few = sorted[Math.floor((sorted.length * BEYOND) / 1000)] ?? 0
      this.#limits[at] = Math.max(LEAST_LIMIT, few)
    })
  }
}

function follow(values: Float64Array, at: number, value: number, share: number): void {
  const before = values[at] ?? Number.NaN
  values[at] = Number.isNaN(before) ? value : before + share * (value - before)
}

/** The hour of the week, and that of the day, of workdays and weekends apart. 1970 began on a
 *  Thursday. */
function slotsOf(hour: number): readonly [number, number] {
  const slot = (hour + 3 * DAY) % WEEK
  return [slot, (slot % DAY) + (slot >= 5 * DAY ? DAY : 0)]
}
