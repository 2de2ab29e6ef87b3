// Runs of tasks: whoever asks for one adds a row and looks how it goes, the collector does it, one
// at a time (docs/decisions/0095).
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'
import { takeIds } from '../counters.ts'

const RUN_STATES = ['asked', 'running', 'done', 'failed'] as const
type RunState = (typeof RUN_STATES)[number]
type RunCause = 'asked' | 'schedule'

const countsSchema = z.object({
  files: z.number().default(0),
  newLogs: z.number().default(0),
  bytes: z.number().default(0),
  events: z.number().default(0),
  /** Of a log sync task: files copied, copies removed, copies that were not what was copied. */
  copied: z.number().default(0),
  removed: z.number().default(0),
  damaged: z.number().default(0),
  /** Of them not read yet. */
  behindBytes: z.number().default(0),
})
export type RunCounts = z.infer<typeof countsSchema>
export const NO_COUNTS: RunCounts = countsSchema.parse({})

export type TaskRun = {
  readonly id: number
  readonly taskId: number
  readonly cause: RunCause
  readonly state: RunState
  readonly askedMs: number
  readonly begunMs: number | undefined
  readonly endedMs: number | undefined
  readonly counts: RunCounts
  /** Why it failed, or what was not read; '' for nothing. */
  readonly reason: string
}

/** Of a task. */
const KEPT = 100

/** The run that waits or goes on, or a new one. */
export async function askForRun(
  transaction: Transaction<Tables>,
  asked: { readonly taskId: number; readonly cause: RunCause; readonly nowMs: number },
): Promise<number> {
  const { taskId, cause, nowMs } = asked
  const runs = await transaction
    .selectFrom('task_runs')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('id', 'desc')
    .execute()
  const going = runs.find(({ state }) => state === 'asked' || state === 'running')
  if (going !== undefined) return going.id
  for (const { id } of runs.slice(KEPT))
    await transaction.deleteFrom('task_runs').where('id', '=', id).execute()
  const id = await takeIds(transaction, 'taskRun', 1)
  await transaction
    .insertInto('task_runs')
    .values({
      ...{ id, task_id: taskId, cause, state: 'asked', asked_ms: nowMs },
      ...{ begun_ms: null, ended_ms: null, counts: '{}', reason: '' },
    })
    .execute()
  return id
}

/** The newest first; of all tasks, or of one. */
export async function readRuns(
  db: Pick<Database['read'], 'selectFrom'>,
  taskId?: number,
): Promise<readonly TaskRun[]> {
  let rows = db.selectFrom('task_runs').selectAll().orderBy('id', 'desc').limit(KEPT)
  if (taskId !== undefined) rows = rows.where('task_id', '=', taskId)
  return (await rows.execute()).map(fromRow)
}

export async function readRun(
  db: Pick<Database['read'], 'selectFrom'>,
  id: number,
): Promise<TaskRun | undefined> {
  const rows = db.selectFrom('task_runs').selectAll().where('id', '=', id)
  const row = await rows.executeTakeFirst()
  return row === undefined ? undefined : fromRow(row)
}

/** By the collector; fails with database.lease_lost. */
export async function changeRun(
  { database, held }: { readonly database: Database; readonly held: Fence },
  id: number,
  change: Partial<Omit<TaskRun, 'id' | 'taskId' | 'cause' | 'askedMs'>>,
): Promise<void> {
  const { state, begunMs, endedMs, counts, reason } = change
  const set = {
    ...(state === undefined ? {} : { state }),
    ...(begunMs === undefined ? {} : { begun_ms: begunMs }),
    ...(endedMs === undefined ? {} : { ended_ms: endedMs }),
    ...(counts === undefined ? {} : { counts: JSON.stringify(counts) }),
    ...(reason === undefined ? {} : { reason }),
  }
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction.updateTable('task_runs').set(set).where('id', '=', id).execute()
  })
}

function fromRow(row: Tables['task_runs']): TaskRun {
  return {
    ...{ id: row.id, taskId: row.task_id, reason: row.reason, askedMs: Number(row.asked_ms) },
    cause: row.cause === 'schedule' ? 'schedule' : 'asked',
    state: RUN_STATES.find((state) => state === row.state) ?? 'failed',
    begunMs: row.begun_ms === null ? undefined : Number(row.begun_ms),
    endedMs: row.ended_ms === null ? undefined : Number(row.ended_ms),
    counts: countsSchema.parse(JSON.parse(row.counts)),
  }
}
