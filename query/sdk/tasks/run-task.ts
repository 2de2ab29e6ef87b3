// Asks the collector for a run of a task in the transaction, and waits a while for its end. A run
// that takes longer goes on; who asks again waits for the same.

import type { z } from 'zod'
import { foldName } from '../../../infra/database/fold-name.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { Concern } from '../../../infra/metastore/event-paths/port.ts'
import { concernsOfTask, listAllTasks } from '../../../infra/metastore/event-paths/task-paths.ts'
import { askForRun, readRun, type TaskRun } from '../../../infra/metastore/tasks/task-runs.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { taskRunAnswer } from '../../../schemas/sdk/task-values.ts'
import { Afterwards, type CommandTools, type CommandWork } from '../server/serve-command.ts'

/** Less than what the client waits for any answer. */
const WAIT_MS = 20_000
const LOOK_MS = 200
/** The collector looks twice a second, but may be busy with another run. */
const TAKEN_MS = 15_000

type Answer = z.infer<typeof taskRunAnswer>

/** Fails with sdk.task_failed. */
export function runTask(
  { id, name }: { readonly id: number; readonly name: string },
  tools: CommandTools,
): CommandWork<Answer | Afterwards<Answer>> {
  return async (transaction) => {
    const holder = await transaction
      .selectFrom('leases')
      .select('name')
      .where('name', '=', 'collector')
      .where('holder', '<>', '')
      .executeTakeFirst()
    if (holder === undefined)
      throw new Failure('sdk.task_failed', {
        name,
        reason: 'no process with the role collector runs',
      })
    const runId = await askForRun(transaction, {
      ...{ taskId: id, cause: 'asked', nowMs: tools.clock.nowMs() },
    })
    return new Afterwards(() => waitForEnd(name, runId, tools))
  }
}

export async function findTaskConcerns(
  { name }: { readonly name: string },
  transaction: DatabaseTransaction,
): Promise<readonly Concern[]> {
  const folded = foldName(name)
  const tasks = await listAllTasks(transaction)
  return tasks.filter((task) => foldName(task.name) === folded).flatMap(concernsOfTask)
}

async function waitForEnd(
  name: string,
  runId: number,
  { clock, database }: CommandTools,
): Promise<Answer> {
  const beganMs = clock.elapsedMs()
  for (;;) {
    const run = await readRun(database.read, runId)
    const waitedMs = clock.elapsedMs() - beganMs
    if (run === undefined)
      throw new Failure('sdk.task_failed', { name, reason: 'it was forgotten' })
    if (run.state === 'failed')
      throw new Failure('sdk.task_failed', { name, reason: run.reason || 'it could not be done' })
    const isLeft = run.state === 'asked' && waitedMs > TAKEN_MS
    if (run.state === 'done' || waitedMs > WAIT_MS || isLeft) return describeRun(name, run)
    await clock.sleep(LOOK_MS)
  }
}

export function describeRun(task: string, run: TaskRun): z.infer<typeof taskRunAnswer> {
  const { id, state, cause, counts, reason, askedMs, begunMs, endedMs } = run
  const moment = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
  const tookMs = (endedMs ?? askedMs) - (begunMs ?? askedMs)
  const hint =
    state === 'asked'
      ? 'it waits: a process with the role collector runs a few tasks at a time'
      : ''
  return {
    ...{ task, run: id, state, cause, asked: new Date(askedMs).toISOString() },
    ...{ begun: moment(begunMs), ended: moment(endedMs), ...counts },
    bytesPerSecond: tookMs > 0 ? Math.round((counts.bytes * 1000) / tookMs) : 0,
    reason: reason || hint,
  }
}
