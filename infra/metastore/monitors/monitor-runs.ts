// Runs of monitors: one row for each due time, whoever runs it. It is made before anything is read,
// with the bounds of what is read, and ended in the transaction that changes the alerts. So a run
// that a crash cut off is done again over the same events, and changes the alerts once
// (docs/decisions/0091).
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { MonitorRunRow } from '../../database/rows/monitor-tables.ts'
import { type Monitor, monitorOf } from './monitors.ts'

type RunDeps = { readonly database: Database; readonly held: Fence }

export type Run = {
  readonly monitorId: number
  readonly dueMs: number
  /** JSON; null: from the monitor's sinceMs on. */
  readonly markFrom: string | null
  readonly markTo: string
}

type RunEnd = {
  readonly state: 'passed' | 'failed' | 'error'
  readonly reason: string
  readonly failing: number
  readonly opened: number
  readonly closed: number
  /** Undefined: as it was. */
  readonly groups?: string
}

/** Those that a crash cut off, or whose store was away. */
export async function listBegunRuns({ read }: Pick<Database, 'read'>): Promise<readonly Run[]> {
  const rows = await read
    .selectFrom('monitor_runs')
    .selectAll()
    .where('state', '=', 'begun')
    .orderBy('due_ms')
    .execute()
  return rows.map(runOf)
}

/** Undefined: this due time has its run already, or the monitor is another by now. Fails with
 *  database.lease_lost. */
export async function beginRun(
  { database, held }: RunDeps,
  monitor: Monitor,
  begun: {
    readonly dueMs: number
    readonly markTo: string
    readonly nowMs: number
    readonly skipped: number
    readonly skippedFromMs: number
  },
): Promise<Run | undefined> {
  const { dueMs, markTo, nowMs, skipped, skippedFromMs } = begun
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const now = await transaction
      .selectFrom('monitors')
      .selectAll()
      .where('id', '=', monitor.id)
      .executeTakeFirst()
    if (now === undefined || monitorOf(now).version !== monitor.version) return undefined
    if (await isRunning(transaction, monitor.id)) return undefined
    const run = await insertRun(transaction, monitorOf(now), {
      ...{ dueMs, markTo, nowMs, skipped, skippedFromMs },
    })
    await transaction
      .updateTable('monitors')
      .set({ last_due_ms: dueMs })
      .where('id', '=', monitor.id)
      .execute()
    return run
  })
}

/** By hand: the scheduler does it within seconds. False: it runs now as it is, or was begun in this
 *  millisecond. */
export async function askRun(
  transaction: DatabaseTransaction,
  monitor: Monitor,
  asked: { readonly markTo: string; readonly nowMs: number },
): Promise<boolean> {
  if (await isRunning(transaction, monitor.id)) return false
  const { nowMs } = asked
  const due = { ...asked, dueMs: nowMs, skipped: 0, skippedFromMs: 0 }
  return (await insertRun(transaction, monitor, due)) !== undefined
}

/** Two at once would read the same events. */
async function isRunning(transaction: DatabaseTransaction, monitorId: number): Promise<boolean> {
  const begun = await transaction
    .selectFrom('monitor_runs')
    .select('due_ms')
    .where('monitor_id', '=', monitorId)
    .where('state', '=', 'begun')
    .executeTakeFirst()
  return begun !== undefined
}

async function insertRun(
  transaction: DatabaseTransaction,
  { id, mark }: Monitor,
  begun: {
    readonly dueMs: number
    readonly markTo: string
    readonly nowMs: number
    readonly skipped: number
    readonly skippedFromMs: number
  },
): Promise<Run | undefined> {
  const { dueMs, markTo, nowMs, skipped, skippedFromMs } = begun
  const row: MonitorRunRow = {
    ...{ monitor_id: id, due_ms: dueMs, begun_ms: nowMs, ended_ms: null },
    ...{ mark_from: mark, mark_to: markTo, state: 'begun', reason: '' },
    ...{ failing: 0, opened: 0, closed: 0, skipped, skipped_from_ms: skippedFromMs },
  }
  const made = await transaction
    .insertInto('monitor_runs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['monitor_id', 'due_ms']).doNothing())
    .executeTakeFirst()
  return Number(made.numInsertedOrUpdatedRows) === 1 ? runOf(row) : undefined
}

/**
 * Inside the transaction that changes the alerts. The monitor as it is now; undefined: somebody
 * else has ended this run, or the monitor is no more: nothing may be changed. Fails with
 * database.lease_lost.
 */
export async function claimEnd(
  transaction: DatabaseTransaction,
  held: Fence,
  { monitorId, dueMs }: Run,
): Promise<Monitor | undefined> {
  await requireFence(transaction, held)
  const run = await transaction
    .selectFrom('monitor_runs')
    .select('state')
    .where('monitor_id', '=', monitorId)
    .where('due_ms', '=', dueMs)
    .executeTakeFirst()
  const row = await transaction
    .selectFrom('monitors')
    .selectAll()
    .where('id', '=', monitorId)
    .executeTakeFirst()
  return run?.state === 'begun' && row !== undefined ? monitorOf(row) : undefined
}

/** After claimEnd. A run that could not be done leaves the mark: what it would have read is read by
 *  the next. */
export async function endRun(
  transaction: DatabaseTransaction,
  { monitorId, dueMs, markTo }: Run,
  { groups, ...end }: RunEnd,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('monitor_runs')
    .set({ ...end, ended_ms: nowMs })
    .where('monitor_id', '=', monitorId)
    .where('due_ms', '=', dueMs)
    .execute()
  const { state: status, reason } = end
  await transaction
    .updateTable('monitors')
    .set({
      ...{ status, reason, status_ms: nowMs },
      ...(status === 'error' ? {} : { mark: markTo }),
      ...(groups === undefined ? {} : { groups }),
    })
    .where('id', '=', monitorId)
    .execute()
}

/** Without an end: it is tried again. */
export async function noteWaiting(
  { database, held }: RunDeps,
  { monitorId }: Run,
  reason: string,
  nowMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('monitors')
      .set({ status: 'error', reason, status_ms: nowMs })
      .where('id', '=', monitorId)
      .where('reason', '!=', reason)
      .execute()
  })
}

function runOf(row: MonitorRunRow): Run {
  return {
    ...{ monitorId: Number(row.monitor_id), dueMs: Number(row.due_ms) },
    ...{ markFrom: row.mark_from, markTo: row.mark_to },
  }
}
