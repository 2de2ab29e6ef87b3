// Runs tasks, a few at a time: those that were asked for, and those whose schedule says so. A
// run that a crash cut off begins anew: it makes nothing twice.
import { describeError } from '../../../infra/logger.ts'
import {
  askForRun,
  changeRun,
  type RunCounts,
  readRuns,
  type TaskRun,
} from '../../../infra/metastore/tasks/task-runs.ts'
import { listTasks, type Task } from '../../../infra/metastore/tasks/tasks.ts'
import { nextCronRuns, parseCron } from '../../../schemas/time/cron.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import { runQueryTask } from './query/run-query-task.ts'
import { runScanTask } from './run-scan-task.ts'
import { runSyncTask } from './sync/run-sync-task.ts'
import type { TaskDeps } from './task-deps.ts'

const LOOK_EVERY_MS = 500
const SCHEDULE_EVERY_MS = 5000
/** One that waits for another machine does not hold up the others. */
const MOST_AT_ONCE = 4

/** Until the signal aborts. Fails with what the database says. */
export async function runTasks(deps: TaskDeps): Promise<void> {
  const { clock, held } = deps
  let scheduledMs = Number.NEGATIVE_INFINITY
  const going = new Map<number, Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  while (!held.signal.aborted) {
    if (clock.elapsedMs() - scheduledMs >= SCHEDULE_EVERY_MS) {
      await askForDue(deps)
      scheduledMs = clock.elapsedMs()
    }
    for (const asked of await readWaiting(deps)) {
      if (going.size >= MOST_AT_ONCE || going.has(asked.id)) continue
      const ended = run(deps, asked).catch((error: unknown) => {
        failure = { error }
      })
      going.set(
        asked.id,
        ended.finally(() => going.delete(asked.id)),
      )
    }
    if (failure !== undefined) break
    await clock.sleep(LOOK_EVERY_MS, held.signal)
  }
  await Promise.all(going.values())
  if (failure !== undefined) throw failure.error
}

/** The oldest first. */
async function readWaiting({ metastore }: TaskDeps): Promise<readonly TaskRun[]> {
  const runs = await readRuns(metastore.database.read)
  return runs.filter(({ state }) => state === 'asked' || state === 'running').reverse()
}

async function run(deps: TaskDeps, asked: TaskRun): Promise<void> {
  const { metastore, clock, logger, held } = deps
  const { database } = metastore
  const around = { database, held }
  const nowMs = clock.nowMs()
  await changeRun(around, asked.id, { state: 'running', begunMs: asked.begunMs ?? nowMs })
  const task = (await readTasks(deps)).find(({ id }) => id === asked.taskId)
  const end = (state: 'done' | 'failed', reason: string) =>
    changeRun(around, asked.id, { state, reason, endedMs: clock.nowMs() })
  if (task === undefined) return await end('failed', 'the task is not there any more')
  try {
    const report = (counts: RunCounts) => changeRun(around, asked.id, { counts })
    const outcome = await runOne(deps, task, report)
    if (held.signal.aborted) return
    logger.info('task has run', { task: task.name, state: outcome.state })
    await end(outcome.state, outcome.reason)
  } catch (error) {
    if (held.signal.aborted) return
    logger.warn('task failed', { task: task.name, ...describeError(error) })
    await end('failed', String(describeError(error).code ?? 'it could not be done'))
  }
}

function runOne(deps: TaskDeps, task: AnyTask, report: (counts: RunCounts) => Promise<void>) {
  switch (task.kind) {
    case 'scan':
      return runScanTask(deps, task as Task<'scan'>, report)
    case 'syncLog':
      return runSyncTask(deps, task as Task<'syncLog'>, report)
    case 'query':
      return runQueryTask(deps, task as Task<'query'>, report)
  }
}

/** A moment that passed while no collector ran is made up for once. */
async function askForDue(deps: TaskDeps): Promise<void> {
  const { metastore, clock } = deps
  const { database } = metastore
  const nowMs = clock.nowMs()
  for (const task of await readTasks(deps)) {
    if (!task.isEnabled || task.settings.cron === '') continue
    const [last] = await readRuns(database.read, task.id)
    const sinceMs = Math.max(last?.askedMs ?? 0, task.changedMs)
    if (!isDue(task, sinceMs, nowMs, metastore.setting('system.timeZone'))) continue
    await database.write((transaction) =>
      askForRun(transaction, { taskId: task.id, cause: 'schedule', nowMs }),
    )
  }
}

type AnyTask = Task<'scan'> | Task<'syncLog'> | Task<'query'>

async function readTasks({ metastore }: TaskDeps): Promise<readonly AnyTask[]> {
  return await metastore.database.snapshot(async (transaction) => [
    ...(await listTasks(transaction, 'scan')),
    ...(await listTasks(transaction, 'syncLog')),
    ...(await listTasks(transaction, 'query')),
  ])
}

function isDue(task: AnyTask, sinceMs: number, nowMs: number, zone: string): boolean {
  const cron = parseCron(task.settings.cron)
  const [next] = cron === undefined ? [] : nextCronRuns(cron, timeZone(zone), sinceMs, 1)
  return next !== undefined && next <= nowMs
}
