// When a monitor would have opened alerts in the time before now: the same judging and stepping
// as its runs do, over the events that are there now. What is new between two due times is what
// was received between them.
import type { Clock } from '../../infra/clock.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { NEW_EVENTS } from '../../schemas/monitors/monitor.ts'
import { parseRule } from '../../schemas/monitors/rule.ts'
import { type DuePlan, duesBetween } from '../../schemas/monitors/schedule.ts'
import { openSearchSignal } from '../edge/search-signal.ts'
import type { ReadArrived } from '../search-json/arrived.ts'
import { readDuePlan } from './due-plan.ts'
import { judge } from './evaluate/judge.ts'
import { type GroupStates, stepAlerts } from './evaluate/step-alerts.ts'
import { LOOK_BACK_MS } from './novelty/step-kinds.ts'
import { type ObserveDeps, observe } from './observe.ts'
import type { KindMemory } from './question.ts'
import { requireOwnerOf } from './require-owner-of.ts'
import { windowOf } from './run/window-of.ts'
import type { DryRun, SampledRun, TryMonitor } from './try-monitor.ts'

/** Of the whole; the answer says how far it came. */
const LIMIT_MS = 45_000

export function makeTryMonitor(
  deps: ObserveDeps & { readonly clock: Clock; readonly readArrived: ReadArrived },
): TryMonitor {
  const { metastore, clock, readArrived } = deps
  return async (monitor, { past, caller }) => {
    const { settings } = monitor
    const rule = parseRule(settings.rule)
    if (rule === undefined) throw new Failure('monitor.rule', { reason: 'it cannot be read' })
    const owner = await requireOwnerOf('monitor', monitor, metastore)
    const reader = owner.id === caller.id ? caller : owner
    const to = await readArrived()
    const untilMs = clock.nowMs() - settings.delaySeconds * 1000
    const plan = readDuePlan(settings, metastore)
    const sinceMs = untilMs - past
    const dues = duesOf(plan, sinceMs, untilMs)
    const deadlineMs = clock.elapsedMs() + LIMIT_MS
    const ended = openSearchSignal({ clock, deadlineMs, timeoutMs: LIMIT_MS, cancelOn: [] })
    const turn = { userId: reader.id, deadlineMs, signal: ended.signal }
    let states: GroupStates = new Map()
    let memory: KindMemory | undefined
    const fired: DryRun['fired'][number][] = []
    const runs: DryRun['runs'][number][] = []
    let sample: SampledRun | undefined
    try {
      for (const [at, dueMs] of dues.entries()) {
        const fromMs = dues[at - 1] ?? sinceMs
        const received = settings.window === NEW_EVENTS ? { received: { fromMs, toMs: dueMs } } : {}
        const window = windowOf(settings, dueMs)
        const earlier = { to, received: { fromMs: fromMs - LOOK_BACK_MS, toMs: fromMs } }
        const question = { settings, rule, reader, window, earlier, memory, nowMs: dueMs }
        const observed = await observe({ ...question, arrival: { to, ...received } }, turn, deps)
        memory = observed.memory
        const verdicts = judge(rule, observed, states.keys())
        const next = stepAlerts(settings, states, { verdicts, dueMs, heldBack: () => '' })
        states = next.states
        for (const { kind, group, count } of next.changes)
          if (kind === 'opened') fired.push({ atMs: dueMs, group, count })
        const failing = [...verdicts.values()].filter(({ isFailing }) => isFailing).length
        const count = [...observed.counts.values()].reduce((sum, one) => sum + one, 0)
        runs.push({ atMs: dueMs, count, failing })
        sample = newerSample(sample, { ...observed.sample, atMs: dueMs, isFailing: failing > 0 })
      }
    } catch (error) {
      if (!isFailure(error) || !TIME_OVER.has(error.code)) throw error
    } finally {
      ended.close()
    }
    const isComplete = runs.length === dues.length
    return { runs, isComplete, fromMs: sinceMs, toMs: untilMs, fired, sample }
  }
}

const TIME_OVER: ReadonlySet<string> = new Set(['search.timeout', 'store.timeout'])

/** One that never runs by itself is run by hand, now. */
function duesOf(plan: DuePlan, sinceMs: number, untilMs: number): readonly number[] {
  if (plan.schedule.kind === 'never') return [untilMs]
  return [...duesBetween(plan, sinceMs, untilMs)]
}

function newerSample(before: SampledRun | undefined, next: SampledRun): SampledRun | undefined {
  if (next.rows.length === 0) return before
  return next.isFailing || before?.isFailing !== true ? next : before
}
