// Asks the collector for a run of a task, and waits a while for its end. A run that takes longer
// goes on; who asks again waits for the same.

import type { z } from 'zod'
import { askForRun, readRun, type TaskRun } from '../../../infra/metastore/tasks/task-runs.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { taskRunAnswer } from '../../../schemas/sdk/task-values.ts'
import type { CommandTools } from '../server/serve-command.ts'

/** Less than what the client waits for any answer. */
const WAIT_MS = 20_000
const LOOK_MS = 200
/** The collector looks twice a second, but may be busy with another run. */
const TAKEN_MS = 15_000

/** Fails with sdk.task_failed. */
export async function runTask(
  { id, name }: { readonly id: number; readonly name: string },
  { clock, database }: CommandTools,
): Promise<z.infer<typeof taskRunAnswer>> {
  const holder = await database.read
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
  const runId = await database.write((transaction) =>
    askForRun(transaction, { taskId: id, cause: 'asked', nowMs: clock.nowMs() }),
  )
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
