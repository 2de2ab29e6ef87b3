// New kinds of events as a monitor tells them: logs of weeks with kinds put in, and a naive
// evaluator that looks at the whole past at each run.
import { describe, expect, it } from 'vitest'
import { type Memory, stepKinds } from '../../../../query/monitors/novelty/step-kinds.ts'
import { series } from '../../../support/run/tier.ts'
import { type KindsOfLog, makeKindLogs } from '../../../support/series/kinds.ts'
import { makeRandom, type Random } from '../../../support/series/random.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK = 7 * 24
const SEEDS = [1]
const LOGS = series(250, 1000)

describe('a new kind of events', () => {
  it('is found nearly always, and little else is told', () => {
    const measured = SEEDS.flatMap((seed) => makeKindLogs(makeRandom(seed)).map(watch))
    const sum = (of: (it: (typeof measured)[number]) => number) =>
      measured.reduce((all, it) => all + of(it), 0)
    const [planted, found] = [sum((it) => it.planted), sum((it) => it.found)]
    const perWeek = sum((it) => it.falsely / it.weeks) / measured.length
    console.log(
      `${measured.length} logs: found ${found} of ${planted} new kinds, ${perWeek.toFixed(2)} false alarms a log and week`,
    )
    expect(planted).toBeGreaterThan(90)
    expect(found / planted).toBeGreaterThanOrEqual(0.9)
    expect(perWeek).toBeLessThanOrEqual(1)
  })

  it('is told once, when it has come often enough, and never while the log is learned', () => {
    const run = runner({ isEvery: false })
    expect(run(0, { a: 5, b: 1 })).toEqual([])
    expect(run(6 * 24, { a: 5, b2: 50, c: 60 })).toEqual([])
    expect(run(8 * 24, { a: 5, d: 9 })).toEqual([])
    // On their first day 50 and 60 came of others: the next is news with 51.
    expect(run(8 * 24 + 1, { d: 41 })).toEqual([])
    expect(run(8 * 24 + 2, { d: 1 })).toEqual(['d'])
    expect(run(8 * 24 + 3, { d: 500 })).toEqual([])
  })

  it('is told each time with `every`', () => {
    const run = runner({ isEvery: true })
    run(0, { a: 5 })
    run(6 * 24, { c: 50 })
    for (let hour = 8 * 24; hour < 10 * 24; hour += 1)
      expect(run(hour, { a: 1, [`n${hour}`]: 1 })).toEqual([`n${hour}`])
  })

  it('is new again after 90 days', () => {
    const run = runner({ isEvery: false })
    run(0, { a: 1, b: 1 })
    for (let day = 1; day < 89; day += 1) run(day * 24, { a: 1 })
    expect(run(89 * 24, { b: 1 })).toEqual([])
    for (let day = 90; day < 182; day += 1) run(day * 24, { a: 1 })
    expect(run(182 * 24, { b: 1 })).toEqual(['b'])
  })

  it(`is what a naive evaluator finds, over ${LOGS} logs`, () => {
    let told = 0
    for (let seed = 0; seed < LOGS; seed += 1) {
      const random = makeRandom(seed)
      const isEvery = random.chance(0.3)
      const runs = makeRuns(random)
      const naive = evaluateNaively(runs, isEvery)
      let memory: Memory = { sinceMs: 0, kinds: new Map() }
      const stepped = runs.map(({ dueMs, seen }) => {
        const step = stepKinds(memory, seen, { dueMs, isEvery })
        memory = { sinceMs: 0, kinds: step.kinds }
        return step.news.toSorted()
      })
      expect(stepped, `seed ${seed}`).toEqual(naive)
      told += naive.flat().length
    }
    expect(told).toBeGreaterThan(2 * LOGS)
  })
})

function runner({ isEvery }: { readonly isEvery: boolean }) {
  let memory: Memory = { sinceMs: 0, kinds: new Map() }
  return (hour: number, seen: Readonly<Record<string, number>>) => {
    const dueMs = hour * HOUR_MS
    const { kinds, news } = stepKinds(memory, new Map(Object.entries(seen)), { dueMs, isEvery })
    memory = { sinceMs: 0, kinds }
    return news
  }
}

function watch({ name, hours, planted }: KindsOfLog) {
  const found = new Set<number>()
  let falsely = 0
  let memory: Memory = { sinceMs: 0, kinds: new Map() }
  hours.forEach((seen, hour) => {
    const step = stepKinds(memory, seen, { dueMs: hour * HOUR_MS, isEvery: false })
    memory = { sinceMs: 0, kinds: step.kinds }
    const news = step.news.filter((kind) => kind.startsWith('planted '))
    for (const kind of news) found.add(Number(kind.slice('planted '.length)))
    // All of a run are one alert.
    if (step.news.length > 0 && news.length === 0) falsely += 1
  })
  const weeks = hours.length / WEEK - 1
  return { name, planted: planted.length, found: found.size, falsely, weeks }
}

type Run = { readonly dueMs: number; readonly seen: ReadonlyMap<string, number> }

function makeRuns(random: Random): readonly Run[] {
  const runs: Run[] = []
  const kinds = 3 + Math.floor(random.between(0, 20))
  let dueMs = 0
  for (let number = 0; number < 60; number += 1) {
    dueMs += Math.ceil(random.between(1, random.chance(0.1) ? 40 : 2.5) * DAY_MS * 0.4)
    const seen = new Map<string, number>()
    const among = Math.min(kinds, 2 + Math.floor((number * kinds) / 40))
    for (let left = Math.floor(random.between(0, 5)); left > 0; left -= 1)
      seen.set(`k${Math.floor(random.between(0, among))}`, Math.ceil(random.between(0, 9)))
    runs.push({ dueMs, seen })
  }
  return runs
}

type Life = { readonly firstMs: number; readonly lastMs: number; readonly young: number }

/** By run: what is told. Each kind's life is read anew from all runs before. */
function evaluateNaively(runs: readonly Run[], isEvery: boolean): string[][] {
  /** By kind and begin of its life: what it had to reach. */
  const told = new Map<string, number>()
  return runs.map(({ dueMs, seen }, at) => {
    const before = livesOf(runs.slice(0, at))
    const now = livesOf(runs.slice(0, at + 1))
    const limit = isEvery ? 1 : naiveLimit(before, told, dueMs)
    if (dueMs < 7 * DAY_MS) return []
    const news = [...seen.keys()].filter((kind) => {
      const life = now.get(kind)
      if (life === undefined || told.has(`${kind} ${life.firstMs}`)) return false
      return life.firstMs >= 7 * DAY_MS && life.firstMs > dueMs - DAY_MS && life.young >= limit
    })
    for (const kind of news) told.set(`${kind} ${now.get(kind)?.firstMs}`, limit)
    return news.sort()
  })
}

/** Its newest life: it ends when the kind does not come for more than 90 days, as the days say on
 *  which it came. */
function livesOf(runs: readonly Run[]): ReadonlyMap<string, Life> {
  const lives = new Map<string, Life>()
  for (const { dueMs, seen } of runs)
    for (const [kind, count] of seen) {
      const life = lives.get(kind)
      if (life === undefined || life.lastMs < dueMs - 90 * DAY_MS)
        lives.set(kind, { firstMs: dueMs, lastMs: dueMs, young: count })
      else
        lives.set(kind, {
          firstMs: life.firstMs,
          lastMs: dueMs - life.lastMs >= DAY_MS ? dueMs : life.lastMs,
          young: life.young + (dueMs < life.firstMs + DAY_MS ? count : 0),
        })
    }
  return lives
}

function naiveLimit(
  lives: ReadonlyMap<string, Life>,
  told: ReadonlyMap<string, number>,
  dueMs: number,
): number {
  const from = Math.max(3 * DAY_MS, dueMs - 28 * DAY_MS)
  const counts = [...lives].flatMap(([kind, { firstMs, young }]) => {
    if (firstMs < from) return []
    const limit = told.get(`${kind} ${firstMs}`)
    if (limit !== undefined) return [Math.min(young, 2 * limit)]
    return firstMs > dueMs - DAY_MS ? [] : [young]
  })
  const most = 2 * Math.max(1, Math.round((dueMs - from) / (7 * DAY_MS)))
  let [limit, reached] = [1, Number.POSITIVE_INFINITY]
  while (reached >= most) {
    reached = counts.filter((count) => count >= limit).length
    if (reached >= most) limit += 1
  }
  return limit
}
