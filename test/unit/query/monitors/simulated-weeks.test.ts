// A thousand simulated weeks of a monitor: late events, restarts between any two steps, two
// leaders, clocks that jump. Its alerts are those of the naive evaluator, each once.
import { expect, test } from 'vitest'
import { judge } from '../../../../query/monitors/evaluate/judge.ts'
import { findNextRun } from '../../../../query/monitors/evaluate/next-run.ts'
import {
  type GroupStates,
  groupStates,
  stepAlerts,
} from '../../../../query/monitors/evaluate/step-alerts.ts'
import { parseBusinessHours } from '../../../../schemas/monitors/business-hours.ts'
import { type DuePlan, parseSchedule } from '../../../../schemas/monitors/schedule.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'
import {
  naiveAlerts,
  type SimEvent,
  type SimRules,
  type SimRun,
} from '../../../support/monitors/naive-monitor.ts'
import { series } from '../../../support/run/tier.ts'
import { makeRandom } from '../../../support/series/random.ts'

const WEEKS = series(150, 1000)
const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const START_MS = Date.UTC(2026, 2, 25)
const SCHEDULES = [
  'every 1h',
  'every 3h',
  'daily 08:00',
  'weekly mon,thu 02:30',
  '30 4,8,12,20 * * *',
]
const HOURS = ['', 'mon-fri 08:00-18:00']

/** What lies in the database: it survives everything, and its rows are unique. */
type Kept = {
  lastDueMs: number
  markMs: number
  states: string
  readonly runs: Map<number, { readMs: number; fromMs: number; isDone: boolean }>
  readonly told: string[]
}

function simulate(seed: number) {
  const random = makeRandom(seed).uniform
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const rules: SimRules = {
    count: 1 + Math.floor(random() * 3),
    windowMs: random() < 0.5 ? undefined : pick([HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]),
    openAfter: 1 + Math.floor(random() * 2),
    closeAfter: 1 + Math.floor(random() * 2),
  }
  const events: SimEvent[] = Array.from({ length: Math.floor(random() * 200) }, () => {
    const receivedMs = START_MS + Math.floor(random() * WEEK_MS)
    const lateMs = random() < 0.3 ? random() * 12 * HOUR_MS : 0
    return { receivedMs, atMs: Math.floor(receivedMs - lateMs), group: pick(['a', 'b', '']) ?? '' }
  })
  const plan: DuePlan = {
    schedule: parseSchedule(pick(SCHEDULES) ?? '') ?? { kind: 'never' },
    zone: timeZone(pick(['UTC', 'Europe/Berlin']) ?? 'UTC'),
    hours: parseBusinessHours(pick(HOURS) ?? ''),
  }
  const kept: Kept = {
    ...{ lastDueMs: START_MS, markMs: START_MS, states: '[]' },
    ...{ runs: new Map(), told: [] },
  }
  const done: SimRun[] = []

  /** As monitor-runs.ts: what is begun is done again over the same events, else the next begins. */
  const begin = (realMs: number, clockMs: number): number | undefined => {
    for (const [dueMs, run] of kept.runs) if (!run.isDone) return dueMs
    const next = findNextRun(plan, { nowMs: clockMs, delayMs: 0, lastDueMs: kept.lastDueMs })
    if (next === undefined) return undefined
    const isNew = !kept.runs.has(next.dueMs)
    kept.lastDueMs = next.dueMs
    if (!isNew) return undefined
    kept.runs.set(next.dueMs, { readMs: realMs, fromMs: kept.markMs, isDone: false })
    return next.dueMs
  }
  const read = (dueMs: number) => {
    const run = kept.runs.get(dueMs)
    const counts = new Map<string, number>()
    for (const { receivedMs, atMs, group } of events) {
      const { windowMs } = rules
      const isNew = receivedMs >= (run?.fromMs ?? 0)
      const isInside = windowMs !== undefined && atMs >= dueMs - windowMs && atMs < dueMs
      if (receivedMs < (run?.readMs ?? 0) && (windowMs === undefined ? isNew : isInside))
        counts.set(group, (counts.get(group) ?? 0) + 1)
    }
    return counts
  }
  const end = (dueMs: number, counts: ReadonlyMap<string, number>) => {
    const run = kept.runs.get(dueMs)
    // Another leader was quicker.
    if (run === undefined || run.isDone) return
    const before: GroupStates = new Map(groupStates.parse(JSON.parse(kept.states)))
    const rule = { kind: 'count', operator: '>=', value: rules.count } as const
    const verdicts = judge(rule, { counts }, before.keys())
    const { openAfter, closeAfter } = rules
    const quiet = { isOnce: true, maxAlertsPerHour: 0, tellsEnd: true }
    const next = stepAlerts({ openAfter, closeAfter, ...quiet }, before, {
      ...{ verdicts, dueMs, heldBack: () => '' },
    })
    for (const { kind, group } of next.changes)
      if (kind !== 'repeated') kept.told.push(`${kind === 'closed' ? '-' : ''}${group}@${dueMs}`)
    kept.states = JSON.stringify([...next.states])
    kept.markMs = run.readMs
    kept.runs.set(dueMs, { ...run, isDone: true })
    done.push({ dueMs, readMs: run.readMs })
  }

  let aheadMs = 0
  for (let realMs = START_MS; realMs < START_MS + WEEK_MS; realMs += HOUR_MS / 4) {
    // Down for a while.
    if (random() < 0.02) realMs += Math.floor(random() * 20) * (HOUR_MS / 4)
    if (random() < 0.01) aheadMs = Math.floor((random() - 0.4) * 10 * HOUR_MS)
    const dueMs = begin(realMs, realMs + aheadMs)
    if (dueMs === undefined) continue
    // Killed before it has read, or before the end is written.
    if (random() < 0.1) continue
    const counts = read(dueMs)
    // A second leader does the same at the same time.
    const others = random() < 0.2 ? read(dueMs) : undefined
    if (random() < 0.1) continue
    end(dueMs, counts)
    if (others !== undefined) end(dueMs, others)
  }
  return { kept, done, events, rules }
}

test(`${WEEKS} weeks have the alerts of the naive evaluator`, () => {
  let alerts = 0
  for (let seed = 1; seed <= WEEKS; seed += 1) {
    const { kept, done, events, rules } = simulate(seed)
    const wanted = naiveAlerts(events, done, rules, START_MS)
    expect(kept.told.toSorted(), `seed ${seed}`).toEqual(wanted)
    alerts += wanted.length
  }
  expect(alerts).toBeGreaterThan(WEEKS)
})
