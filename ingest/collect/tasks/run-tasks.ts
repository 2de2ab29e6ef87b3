// Runs tasks, one after the other: those that were asked for, and those whose schedule says so. A
// run that a crash cut off begins anew: it makes nothing twice.
import type { Clock } from '../../../infra/clock.ts'
import type { Fence } from '../../../infra/database/lease.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import {
  askForRun,
  changeRun,
  readRuns,
  type TaskRun,
} from '../../../infra/metastore/tasks/task-runs.ts'
import { listTasks, type Task } from '../../../infra/metastore/tasks/tasks.ts'
import { nextCronRuns, parseCron } from '../../../schemas/time/cron.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import type { LogProgress } from '../telemetry.ts'
import { runScanTask } from './run-scan-task.ts'

const LOOK_EVERY_MS = 500
const SCHEDULE_EVERY_MS = 5000

export type TaskDeps = {
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly logger: Logger
  readonly held: Fence & { readonly signal: AbortSignal }
  /** Of the collector. */
  readonly progress: () => readonly LogProgress[]
}

/** Until the signal aborts. Fails with what the database says. */
export async function runTasks(deps: TaskDeps): Promise<void> {
  const { clock, held } = deps
  let scheduledMs = Number.NEGATIVE_INFINITY
  while (!held.signal.aborted) {
    if (clock.elapsedMs() - scheduledMs >= SCHEDULE_EVERY_MS) {
      await askForDue(deps)
      scheduledMs = clock.elapsedMs()
    }
    const waiting = await readWaiting(deps)
    if (waiting === undefined) await clock.sleep(LOOK_EVERY_MS, held.signal)
    else await run(deps, waiting)
  }
}

async function readWaiting({ metastore }: TaskDeps): Promise<TaskRun | undefined> {
  const runs = await readRuns(metastore.database.read)
  return runs.findLast(({ state }) => state === 'asked' || state === 'running')
}

async function run(deps: TaskDeps, asked: TaskRun): Promise<void> {
  const { metastore, clock, logger, held } = deps
  const { database } = metastore
  const around = { database, held }
  const nowMs = clock.nowMs()
  await changeRun(around, asked.id, { state: 'running', begunMs: asked.begunMs ?? nowMs })
  const tasks = await database.snapshot((transaction) => listTasks(transaction, 'scan'))
  const task = tasks.find(({ id }) => id === asked.taskId)
  const end = (state: 'done' | 'failed', reason: string) =>
    changeRun(around, asked.id, { state, reason, endedMs: clock.nowMs() })
  if (task === undefined) return await end('failed', 'the task is not there any more')
  try {
    const outcome = await runScanTask(deps, task, (counts) =>
      changeRun(around, asked.id, { counts }),
    )
    if (held.signal.aborted) return
    logger.info('task has run', { task: task.name, state: outcome.state })
    await end(outcome.state, outcome.reason)
  } catch (error) {
    if (held.signal.aborted) return
    logger.warn('task failed', { task: task.name, ...describeError(error) })
    await end('failed', String(describeError(error).code ?? 'it could not be done'))
  }
}

/** A moment that passed while no collector ran is made up for once. */
async function askForDue({ metastore, clock }: TaskDeps): Promise<void> {
  const { database } = metastore
  const tasks = await database.snapshot((transaction) => listTasks(transaction, 'scan'))
  const nowMs = clock.nowMs()
  for (const task of tasks) {
    if (!task.isEnabled || task.settings.cron === '') continue
    const [last] = await readRuns(database.read, task.id)
    const sinceMs = Math.max(last?.askedMs ?? 0, task.changedMs)
    if (!isDue(task, sinceMs, nowMs, metastore.setting('system.timeZone'))) continue
    await database.write((transaction) =>
      askForRun(transaction, { taskId: task.id, cause: 'schedule', nowMs }),
    )
  }
}

function isDue(task: Task<'scan'>, sinceMs: number, nowMs: number, zone: string): boolean {
  const cron = parseCron(task.settings.cron)
  const [next] = cron === undefined ? [] : nextCronRuns(cron, timeZone(zone), sinceMs, 1)
  return next !== undefined && next <= nowMs
}
