// Logs over weeks as the kinds of their events (shapes of messages, values of a column), hour by
// hour: published ones, at their own pace or slower, and habits that logs have; with kinds put in
// that were never there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'
import { poisson } from './sources.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/series/kinds')
const WEEK = 7 * 24
const DAY = 24
/** Nothing is put in while a monitor learns. */
const BEGIN = 10 * DAY
const GAP = 4 * DAY
const LEAST = 3

type Planted = { readonly from: number; readonly to: number; readonly count: number }

export type KindsOfLog = {
  readonly name: string
  /** By hour: how often each kind came. What was put in is named `planted 1` and so on. */
  readonly hours: readonly ReadonlyMap<string, number>[]
  readonly planted: readonly Planted[]
}

type Hours = Map<string, number>[]

/** `pace`: an hour of the log is so many of the series. */
export function makeKindLogs(random: Random): readonly KindsOfLog[] {
  const published = [
    ...['auth-shapes', 'auth-users', 'auth-addresses'].flatMap((name) => [
      { name, hours: readHours(name, 1) },
      { name: `${name}, slower`, hours: readHours(name, 3.4) },
    ]),
    ...['web-agents', 'web-clients', 'web-paths', 'web-statuses'].map((name) => ({
      ...{ name, hours: readHours(name, 24) },
    })),
  ]
  return [...published, ...habits(random)].map(({ name, hours }) => plant(name, hours, random))
}

function readHours(name: string, pace: number): Hours {
  const hours: Hours = []
  for (const line of readFileSync(join(FIXTURES, `${name}.txt`), 'utf8')
    .trim()
    .split('\n')) {
    const [minute = '', ...kinds] = line.split(' ')
    for (const kind of kinds) add(hours, Math.floor((Number(minute) / 60) * pace), kind, 1)
  }
  return filled(hours)
}

function habits(random: Random): { readonly name: string; readonly hours: Hours }[] {
  const zipf = (kinds: number, perHour: number): Hours => {
    const weights = Array.from({ length: kinds }, (_, at) => 1 / (at + 1) ** 1.2)
    const sum = weights.reduce((all, it) => all + it, 0)
    return Array.from({ length: 12 * WEEK }, () => {
      const drawn = weights.map((it) => poisson((perHour * it) / sum, random))
      return new Map(drawn.flatMap((n, at) => (n > 0 ? [[`${at}`, n] as const] : [])))
    })
  }
  const weekly = zipf(20, 100)
  weekly.forEach((hour, at) => {
    if (at % WEEK === 30) for (const part of ['begin', 'rows', 'end']) hour.set(part, 5)
  })
  return [
    { name: 'a program of 12 shapes', hours: zipf(12, 60) },
    { name: 'a program of 300 shapes', hours: zipf(300, 400) },
    { name: 'a thousand values', hours: zipf(1000, 300) },
    { name: 'a job of each week', hours: weekly },
  ]
}

function plant(name: string, hours: Hours, random: Random): KindsOfLog {
  const usual = Math.max(LEAST, Math.ceil(1.3 * oncePerFortnight(hours)))
  const planted: Planted[] = []
  const changed = hours.map((hour) => new Map(hour))
  let from = BEGIN + Math.floor(random.between(0, GAP))
  while (from + DAY < hours.length) {
    const length = 1 + Math.floor(random.between(0, 12))
    const count = Math.ceil(usual * random.between(1, 4))
    const kind = `planted ${planted.length}`
    for (let left = count; left > 0; left -= 1)
      add(changed, from + Math.floor(random.between(0, length)), kind, 1)
    planted.push({ from, to: from + length, count })
    from += GAP + Math.floor(random.between(0, 2 * GAP))
  }
  return { name, hours: changed, planted }
}

/** How often a kind came on its first day, as new ones do once in two weeks: what comes less often
 *  nobody could tell from these. */
function oncePerFortnight(hours: Hours): number {
  const first = new Map<string, { at: number; count: number }>()
  hours.forEach((kinds, at) => {
    for (const [kind, count] of kinds) {
      const known = first.get(kind)
      if (known === undefined) first.set(kind, { at, count })
      else if (at < known.at + DAY) known.count += count
    }
  })
  const late = [...first.values()].filter(({ at }) => at >= BEGIN).map(({ count }) => count)
  late.sort((a, b) => b - a)
  return late[Math.floor((hours.length - BEGIN) / (2 * WEEK))] ?? 0
}

function add(hours: Hours, at: number, kind: string, count: number): void {
  const hour = hours[at] ?? new Map<string, number>()
  hour.set(kind, (hour.get(kind) ?? 0) + count)
  hours[at] = hour
}

function filled(hours: Hours): Hours {
  return Array.from(hours, (hour) => hour ?? new Map())
}
