// Sources of events over twelve weeks, a count for each quarter of an hour: published traffic,
// thinned to rates that logs have, and habits that logs have; with gaps put in.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/series/quarters')
export const WEEK = 7 * 96
const WEEKS = 12
/** A Monday. */
export const BEGIN = 52 * WEEK + 4 * 96

export type Gap = { readonly from: number; readonly to: number }

export type Source = {
  readonly name: string
  /** By quarter since `BEGIN`. */
  readonly counts: readonly number[]
  readonly gaps: readonly Gap[]
}

export type Shape = {
  readonly name: string
  /** Events that are expected in the quarter. */
  readonly rate: (quarter: number) => number
  /** Events come in clusters of about so many. */
  readonly cluster?: number
  /** Quarters of a gap at least; default 24. */
  readonly leastGap?: number
  /** Default `MISSED_QUARTERS`. */
  readonly missedQuarters?: number
}

/** Nothing is missed where nothing is expected: in a gap so many events are, and so many quarters
 *  of an hour with one. */
const MISSED = 30
const MISSED_QUARTERS = 20
const GAPS = 5

export function makeSources(random: Random): readonly Source[] {
  return makeShapes(random).map((shape) => makeSource(shape, random))
}

export function makeShapes(random: Random): readonly Shape[] {
  return [...publishedShapes(), ...habits(random)]
}

function publishedShapes(): readonly Shape[] {
  return ['taxi', 'tweets-ups', 'tweets-ibm', 'tweets-aapl', 'requests'].flatMap((name) => {
    const values = readFileSync(join(FIXTURES, `${name}.txt`), 'utf8')
      .trim()
      .split('\n')
      .map(Number)
    const mean = values.reduce((sum, it) => sum + it, 0) / values.length
    return [0.5, 2, 10, 100].map((perQuarter) => ({
      name: `${name} at ${perQuarter} a quarter`,
      rate: (quarter: number) => ((values[quarter % values.length] ?? 0) / mean) * perQuarter,
    }))
  })
}

function habits(random: Random): readonly Shape[] {
  const hourOf = (quarter: number) => (quarter % 96) / 4
  const isWorkday = (quarter: number) => quarter % WEEK < 5 * 96
  const batch = random.between(0, 23)
  const startOf = (quarter: number) => batch + ((Math.floor(quarter / 96) * 7) % 5) / 4 - 0.5
  const isBatch = (quarter: number) => Math.abs(hourOf(quarter) - startOf(quarter)) < 0.13
  return [
    {
      name: 'office hours',
      rate: (it) => (isWorkday(it) && Math.abs(hourOf(it) - 13) < 5 ? 6 : 0),
    },
    {
      name: 'office hours, and little else',
      rate: (it) => (isWorkday(it) && Math.abs(hourOf(it) - 13) < 5 ? 8 : 0.05),
    },
    { name: 'every ten minutes', rate: () => 40, leastGap: 12 },
    {
      name: 'a batch a day',
      rate: (it) => (isBatch(it) ? 40 : 0),
      leastGap: 2 * 96,
      missedQuarters: 2,
    },
    {
      name: 'a batch on workdays',
      rate: (it) => (isWorkday(it) && isBatch(it) ? 40 : 0),
      leastGap: 4 * 96,
      missedQuarters: 2,
    },
    { name: 'bursts', rate: () => 2, cluster: 20, leastGap: 144 },
    { name: 'rare', rate: () => 0.08 },
    { name: 'grows', rate: (it) => 0.2 + it / 1000 },
    { name: 'fades', rate: (it) => 9 - it / 1000 },
  ]
}

function makeSource(shape: Shape, random: Random): Source {
  const { name, rate, cluster = 1, leastGap = 24 } = shape
  const leastMissed = shape.missedQuarters ?? MISSED_QUARTERS
  const gaps: Gap[] = []
  const end = WEEKS * WEEK
  const part = Math.floor((end - 3 * WEEK) / GAPS)
  for (let number = 0; number < GAPS; number += 1) {
    const from = 3 * WEEK + number * part + Math.floor(random.between(0, part / 3))
    let [to, missed, missedQuarters] = [from, 0, 0]
    while (to < from + leastGap || missed < MISSED || missedQuarters < leastMissed) {
      missed += rate(to)
      missedQuarters += 1 - Math.exp(-rate(to) / cluster)
      to += 1
    }
    gaps.push({ from, to })
  }
  const counts = Array.from({ length: end }, (_, quarter) => {
    const clusters = poisson(rate(quarter) / cluster, random)
    const isGap = gaps.some((gap) => quarter >= gap.from && quarter < gap.to)
    return isGap ? 0 : clusters * cluster
  })
  return { name, counts, gaps }
}

export function poisson(mean: number, random: Random): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
  const least = Math.exp(-mean)
  let [product, count] = [random.uniform(), 0]
  while (product > least) {
    product *= random.uniform()
    count += 1
  }
  return count
}
