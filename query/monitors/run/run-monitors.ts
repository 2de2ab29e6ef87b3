// The job that runs what is due (docs/decisions/0091). A run is recorded before anything is read,
// with the bounds of the read; its end, the alerts that it changes and what is told of them are one
// transaction. So two schedulers, a kill or a restart give each alert once.

import { foldName } from '../../../infra/database/fold-name.ts'
import { FairQueue } from '../../../infra/fair-queue.ts'
import { describeError } from '../../../infra/logger.ts'
import { listBookAccounts } from '../../../infra/metastore/address-book/book-accounts.ts'
import type { Run } from '../../../infra/metastore/monitors/monitor-runs.ts'
import {
  beginRun,
  listBegunRuns,
  noteWaiting,
} from '../../../infra/metastore/monitors/monitor-runs.ts'
import { listMonitors, type Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import { readHiddenEvents } from '../../../infra/metastore/retention/hidden-events.ts'
import type { Job, JobContext } from '../../../infra/scheduler/job.ts'
import { hideDeleted } from '../../../infra/store/hide-deleted.ts'
import { ACCOUNT_SETTINGS } from '../../../schemas/address-book.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import { type DuePlan, duesBetween } from '../../../schemas/monitors/schedule.ts'
import { openSearchSignal } from '../../edge/search-signal.ts'
import type { ReadArrived } from '../../search-json/arrived.ts'
import { readDuePlan } from '../due-plan.ts'
import { findNextRun } from '../evaluate/next-run.ts'
import { observeMonitor } from './observe-monitor.ts'
import { recordEnd, recordError } from './record-end.ts'

type MonitorRunDeps = {
  readonly readArrived: ReadArrived
  readonly maxQueryMemoryBytes: number
  readonly keptFreeBytes: number
  /** Of the product, in links. */
  readonly publicUrl: string
}

const EVERY_MS = 1000
const LIMIT_MS = 600_000
/** Of one run. */
const RUN_MS = 60_000
const HOUR_MS = 3_600_000
/** At once: searches of people go on beside them. */
const AT_ONCE = 2

type Work = { readonly monitor: Monitor; readonly run: Run }

export function makeMonitorRuns(deps: MonitorRunDeps): Job {
  const queue = new FairQueue({ maxRunning: AT_ONCE, maxWaiting: 16, maxRunningOfOne: AT_ONCE })
  const waits: Waits = new Map()
  return {
    name: 'monitor-runs',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: (context) => runDue(context, { ...deps, queue, waits }),
  }
}

/** Until when a monitor needs no look, as long as it is the same. */
type Waits = Map<number, { readonly of: string; readonly untilMs: number }>

type Deps = MonitorRunDeps & { readonly queue: FairQueue; readonly waits: Waits }

async function runDue(context: JobContext, deps: Deps): Promise<void> {
  const { database, signal } = context
  const monitors = await listMonitors(database.read)
  const begun = new Map((await listBegunRuns(database)).map((run) => [run.monitorId, run] as const))
  const waiting = monitors.filter(({ id, isEnabled }) => isEnabled || begun.has(id))
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (signal.aborted) return
      const run = begun.get(next.id) ?? (await beginDue(next, context, deps))
      if (run !== undefined) await runOne({ monitor: next, run }, context, deps)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Undefined: nothing is due, or another has begun it. */
async function beginDue(
  monitor: Monitor,
  { database, metastore, held, clock }: JobContext,
  { readArrived, waits }: Deps,
): Promise<Run | undefined> {
  const nowMs = clock.nowMs()
  const { settings, lastDueMs } = monitor
  const of = `${monitor.version} ${lastDueMs} ${metastore.setting('system.timeZone')}`
  const wait = waits.get(monitor.id)
  const isAsleep = wait?.of === of && nowMs < wait.untilMs && nowMs >= lastDueMs
  if (isAsleep) return undefined
  const plan = readDuePlan(settings, metastore)
  const next = findNextRun(plan, { nowMs, delayMs: settings.delaySeconds * 1000, lastDueMs })
  if (next === undefined) {
    waits.set(monitor.id, {
      of,
      untilMs: Math.min(nextLookMs(plan, monitor, nowMs), nowMs + HOUR_MS),
    })
    return undefined
  }
  const markTo = JSON.stringify(await readArrived())
  return await beginRun({ database, held }, monitor, { ...next, markTo, nowMs })
}

/** When it is due next, its delay included. */
function nextLookMs(plan: DuePlan, { settings }: Monitor, nowMs: number): number {
  const delayMs = settings.delaySeconds * 1000
  for (const due of duesBetween(plan, nowMs - delayMs, nowMs + HOUR_MS)) return due + delayMs
  return nowMs + HOUR_MS
}

async function runOne(work: Work, context: JobContext, deps: Deps): Promise<void> {
  const { metastore, clock, logger, signal, held, database } = context
  const store = hideDeleted(context.store, () => readHiddenEvents(database.read))
  const deadlineMs = clock.elapsedMs() + RUN_MS
  const ended = openSearchSignal({ clock, deadlineMs, timeoutMs: RUN_MS, cancelOn: [signal] })
  try {
    const tellsByMail = async () => await hasMailTarget(work.monitor, context)
    const searching = { store, metastore, clock, tellsByMail, ...deps }
    const turn = { deadlineMs, signal: ended.signal }
    const observed = await observeMonitor(work, turn, searching).catch((error: unknown) => {
      if (isFailure(error) || signal.aborted) throw error
      // A bug in one keeps none of the others from being run.
      logger.error('monitor not run', { monitor: work.monitor.id, ...describeError(error) })
      throw new Failure('request.internal', {}, error)
    })
    await recordEnd({ ...work, observed }, context, deps)
  } catch (error) {
    if (signal.aborted) return
    if (!isFailure(error)) throw error
    if (error.code === 'database.lease_lost') throw error
    logger.warn('monitor not run', { monitor: work.monitor.id, ...describeError(error) })
    // The store is away or busy: this due time is tried again, over the same events.
    if (error.entry.retriable === true)
      await noteWaiting({ database, held }, work.run, error.message, clock.nowMs())
    else await recordError(work, error.message, context)
  } finally {
    ended.close()
  }
}

async function hasMailTarget(
  { settings }: Monitor,
  { database }: Pick<JobContext, 'database'>,
): Promise<boolean> {
  if (settings.actions.length === 0) return false
  const named = new Set(settings.actions.map(foldName))
  const accounts = await listBookAccounts(database.read)
  return accounts.some(
    ({ kind, name, settings: of }) =>
      kind === 'alertTarget' &&
      named.has(foldName(name)) &&
      ACCOUNT_SETTINGS.alertTarget.parse(of).type === 'mail',
  )
}
