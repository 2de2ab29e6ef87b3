// Series of daily bytes, shaped like those of customers: each family has one thing that makes it
// hard. The forecast was tuned on TUNED alone; HELD_OUT is judged as it is.
import { makeRandom, type Random } from './random.ts'

/** `make`: bytes of each day. */
export type Family = {
  readonly name: string
  readonly make: (random: Random, days: number) => number[]
}

const GIB = 2 ** 30

/** Office hours: five days near 1, two far below. Shops: the weekend above. */
function makeWeek(random: Random, weekend: number): number[] {
  const first = Math.floor(random.between(0, 7))
  const week = Array.from({ length: 7 }, (_, day) =>
    (day + first) % 7 < 5 ? random.between(0.9, 1.15) : weekend * random.between(0.85, 1.15),
  )
  const mean = week.reduce((sum, value) => sum + value, 0) / 7
  return week.map((value) => value / mean)
}

type Parts = {
  readonly random: Random
  readonly days: number
  readonly weekend?: number
  readonly noise?: number
  /** Level of day `at`; 1 is the customer's usual volume. */
  readonly level?: (at: number) => number
}

function build({ random, days, weekend, noise, level }: Parts): number[] {
  const size = GIB * 10 ** random.between(-1, 3)
  const week = makeWeek(random, weekend ?? random.between(0.2, 0.8))
  const spread = noise ?? random.between(0.04, 0.15)
  return Array.from({ length: days }, (_, at) => {
    const factor = Math.exp(spread * random.normal())
    return size * (week[at % 7] ?? 1) * (level?.(at) ?? 1) * factor
  })
}

/** A level that wanders by `step` a day, on a logarithmic scale. */
function walk(random: Random, days: number, step: number): number[] {
  let log = 0
  return Array.from({ length: days }, () => {
    log += step * random.normal()
    return Math.exp(log)
  })
}

/** Several steps at random days, each by a factor between `low` and `high` or its inverse. */
function steps(random: Random, days: number, low: number, high: number): number[] {
  let level = 1
  return Array.from({ length: days }, () => {
    if (random.chance(1 / 60)) {
      const factor = random.between(low, high)
      level *= random.chance(level > 2 ? 0.2 : 0.6) ? factor : 1 / factor
    }
    return level
  })
}

/** The rest of today's deviation is in tomorrow's by `memory`. */
function autoregressive(random: Random, days: number, memory: number, spread: number): number[] {
  let deviation = 0
  return Array.from({ length: days }, () => {
    deviation = memory * deviation + spread * Math.sqrt(1 - memory ** 2) * random.normal()
    return Math.exp(deviation)
  })
}

const at = (levels: readonly number[]) => (day: number) => levels[day] ?? 1

export const TUNED: readonly Family[] = [
  { name: 'steady weeks', make: (random, days) => build({ random, days }) },
  {
    name: 'growth',
    make: (random, days) => {
      const rate = random.between(0.001, 0.008)
      return build({ random, days, level: (day) => Math.exp(rate * day) })
    },
  },
  {
    name: 'decline',
    make: (random, days) => {
      const rate = random.between(0.001, 0.006)
      return build({ random, days, level: (day) => Math.exp(-rate * day) })
    },
  },
  {
    name: 'steps',
    make: (random, days) => build({ random, days, level: at(steps(random, days, 1.2, 2)) }),
  },
  {
    name: 'wandering level',
    make: (random, days) =>
      build({ random, days, level: at(walk(random, days, random.between(0.01, 0.04))) }),
  },
  {
    name: 'holidays',
    make: (random, days) => {
      const isHoliday = Array.from({ length: days }, () => random.chance(0.03))
      const long = Math.floor(random.between(0, days))
      return build({
        random,
        days,
        level: (day) => (isHoliday[day] || (day >= long && day < long + 9) ? 0.4 : 1),
      })
    },
  },
  {
    name: 'bursts',
    make: (random, days) => {
      const factors = Array.from({ length: days }, () =>
        random.chance(0.03) ? random.between(2, 8) : 1,
      )
      return build({ random, days, level: at(factors) })
    },
  },
  {
    name: 'heavy tails',
    make: (random, days) => build({ random, days, noise: random.between(0.3, 0.7) }),
  },
  {
    name: 'near zero',
    make: (random, days) => {
      const share = random.between(0.2, 0.6)
      return build({ random, days, noise: 0.6 }).map((bytes) =>
        random.chance(share) ? 0 : Math.round(bytes / 1e6),
      )
    },
  },
  {
    name: 'new customer',
    make: (random, days) => {
      const middle = random.between(10, 50)
      const width = random.between(4, 14)
      return build({
        random,
        days,
        level: (day) => 0.05 + 1 / (1 + Math.exp((middle - day) / width)),
      })
    },
  },
  { name: 'no week', make: (random, days) => build({ random, days, weekend: 1, noise: 0.2 }) },
]

export const HELD_OUT: readonly Family[] = [
  {
    name: 'shops',
    make: (random, days) => build({ random, days, weekend: random.between(1.3, 2.5) }),
  },
  {
    name: 'deployments join and leave',
    make: (random, days) => {
      const total = new Array<number>(days).fill(0)
      for (let count = 0; count < 8; count++) {
        const from = count < 3 ? 0 : Math.floor(random.between(0, days))
        const until = random.chance(0.7) ? days : Math.floor(random.between(from, days))
        const one = build({ random, days, noise: 0.1 })
        for (let day = from; day < until; day++) total[day] = (total[day] ?? 0) + (one[day] ?? 0)
      }
      return total
    },
  },
  {
    name: 'long memory',
    make: (random, days) =>
      build({ random, days, level: at(autoregressive(random, days, 0.85, 0.25)) }),
  },
  {
    name: 'months',
    make: (random, days) =>
      build({ random, days, level: (day) => (day % 30 > 26 ? random.between(1.6, 2.2) : 1) }),
  },
  {
    name: 'the year',
    make: (random, days) => {
      const phase = random.between(0, 365)
      const depth = random.between(0.1, 0.4)
      return build({
        random,
        days,
        level: (day) => 1 + depth * Math.sin((2 * Math.PI * (day + phase)) / 365),
      })
    },
  },
  {
    name: 'straight growth',
    make: (random, days) => {
      const slope = random.between(0.002, 0.02)
      return build({ random, days, level: (day) => 1 + slope * day })
    },
  },
  {
    name: 'a week that changes',
    make: (random, days) => {
      const [first, second] = [makeWeek(random, 0.3), makeWeek(random, 1)]
      return build({
        random,
        days,
        weekend: 1,
        level: (day) => {
          const share = day / days
          return (first[day % 7] ?? 1) * (1 - share) + (second[day % 7] ?? 1) * share
        },
      })
    },
  },
  {
    name: 'outages',
    make: (random, days) => {
      const values = build({ random, days })
      for (let day = 0; day < days; day++) {
        if (!random.chance(0.02)) continue
        const length = Math.ceil(random.between(0, 4))
        for (let gone = day; gone < Math.min(days, day + length); gone++) values[gone] = 0
        day += length
      }
      return values
    },
  },
]

export function makeSeries(family: Family, seed: number, days: number): number[] {
  return family.make(makeRandom(seed), days)
}
