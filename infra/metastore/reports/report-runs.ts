// Runs of reports: one row for each due time with a delivery for each target, made in one
// transaction before anything is read. A try of a delivery is recorded before it is made: a crash
// in between leaves one of which nobody knows the end, and it is made again when its claim has
// ended. So none is forgotten, and one crash repeats one mail at most (docs/decisions/0125).
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { ReportDeliveryRow, ReportRunRow } from '../../database/rows/report-tables.ts'
import { findBookAccount } from '../address-book/book-accounts.ts'
import { insertAudit } from '../audit/audit-writer.ts'
import type { AuditEntry } from '../audit/port.ts'
import type { Report } from './reports.ts'

type Deps = { readonly database: Database; readonly held: Fence }

export type ReportRun = { readonly reportId: number; readonly dueMs: number }
export type ReportDelivery = ReportRun & {
  readonly targetId: number
  readonly tries: number
}

export type DeliveryEnd = {
  /** Null: it was taken. */
  readonly failure: string | null
  /** It will not be taken later either. */
  readonly isFinal: boolean
}

type DeliveryNote = DeliveryEnd & { readonly nowMs: number; readonly entry: AuditEntry }

/** Longer than a mail may take. */
const CLAIM_MS = 15 * 60_000
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
/** Before the second try, the third, and so on: about a day. */
const PAUSES_MS = [
  ...[30 * SECOND, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR],
]
const MAX_FAILURE_CHARACTERS = 300

/** Undefined: this due time has its run already, or the report is another by now. Fails with
 *  database.lease_lost. */
export async function beginReportRun(
  { database, held }: Deps,
  report: Report,
  begun: { readonly dueMs: number; readonly skipped: number; readonly nowMs: number },
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const now = await transaction
      .selectFrom('reports')
      .select(['version', 'last_due_ms'])
      .where('id', '=', report.id)
      .executeTakeFirst()
    if (now === undefined || Number(now.version) !== report.version) return
    if (Number(now.last_due_ms) !== report.lastDueMs) return
    await insertRun(transaction, report, begun)
    await transaction
      .updateTable('reports')
      .set({ last_due_ms: begun.dueMs })
      .where('id', '=', report.id)
      .execute()
  })
}

/** By hand: the scheduler sends it within seconds. */
export async function askReportRun(
  transaction: DatabaseTransaction,
  report: Report,
  nowMs: number,
): Promise<void> {
  await insertRun(transaction, report, { dueMs: nowMs, skipped: 0, nowMs })
}

async function insertRun(
  transaction: DatabaseTransaction,
  { id, settings }: Report,
  { dueMs, skipped, nowMs }: { dueMs: number; skipped: number; nowMs: number },
): Promise<void> {
  const deliveries = new Map<number, ReportDeliveryRow>()
  for (const name of settings.targets) {
    const target = await findBookAccount(transaction, name)
    if (target?.kind !== 'alertTarget') continue
    deliveries.set(target.id, {
      ...{ report_id: id, due_ms: dueMs, target_id: target.id, target_name: target.name },
      ...{ state: 'pending', tries: 0, next_ms: nowMs, failure: '' },
    })
  }
  const hasTargets = deliveries.size > 0
  const row: ReportRunRow = {
    ...{ report_id: id, due_ms: dueMs, begun_ms: nowMs, ended_ms: hasTargets ? null : nowMs },
    ...{ state: hasTargets ? 'begun' : 'failed', bytes: null, skipped },
    reason: hasTargets ? '' : 'its targets were removed',
  }
  const made = await transaction
    .insertInto('report_runs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['report_id', 'due_ms']).doNothing())
    .executeTakeFirst()
  if (Number(made.numInsertedOrUpdatedRows) === 1 && hasTargets)
    await transaction
      .insertInto('report_deliveries')
      .values([...deliveries.values()])
      .execute()
}

/** Those that have something to send by now, the oldest first. */
export async function listDueReportRuns(
  { read }: Pick<Database, 'read'>,
  nowMs: number,
): Promise<readonly ReportRun[]> {
  const rows = await read
    .selectFrom('report_runs as r')
    .select(['r.report_id', 'r.due_ms'])
    .where('r.state', '=', 'begun')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('report_deliveries as d')
          .select('d.target_id')
          .whereRef('d.report_id', '=', 'r.report_id')
          .whereRef('d.due_ms', '=', 'r.due_ms')
          .where('d.state', '=', 'pending')
          .where('d.next_ms', '<=', nowMs),
      ),
    )
    .orderBy('r.due_ms')
    .execute()
  return rows.map((row) => ({ reportId: Number(row.report_id), dueMs: Number(row.due_ms) }))
}

/** The next delivery of the run that is due, with its try recorded. Undefined: none is. Fails with
 *  database.lease_lost. */
export async function claimDelivery(
  { database, held }: Deps,
  { reportId, dueMs }: ReportRun,
  nowMs: number,
): Promise<ReportDelivery | undefined> {
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const row = await transaction
      .selectFrom('report_deliveries')
      .selectAll()
      .where('report_id', '=', reportId)
      .where('due_ms', '=', dueMs)
      .where('state', '=', 'pending')
      .where('next_ms', '<=', nowMs)
      .orderBy('target_id')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const tries = Number(row.tries) + 1
    await updateDelivery(transaction, { reportId, dueMs, targetId: Number(row.target_id) })
      .set({ tries, next_ms: nowMs + CLAIM_MS, failure: '' })
      .execute()
    return { reportId, dueMs, targetId: Number(row.target_id), tries }
  })
}

/** The run ends with its last delivery. Of a mail that was taken there is an entry: data has left
 *  the product. Fails with database.lease_lost. */
export async function noteDelivery(
  { database, held }: Deps,
  delivery: ReportDelivery,
  { failure, isFinal, nowMs, entry }: DeliveryNote,
): Promise<void> {
  const pauseMs = PAUSES_MS[delivery.tries - 1]
  const isOver = failure === null || isFinal || pauseMs === undefined
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const { numUpdatedRows } = await updateDelivery(transaction, delivery)
      .set({
        state: failure === null ? 'delivered' : isOver ? 'failed' : 'pending',
        next_ms: isOver ? null : nowMs + (pauseMs ?? 0),
        failure: (failure ?? '').slice(0, MAX_FAILURE_CHARACTERS),
      })
      // Another process may have it by now.
      .where('tries', '=', delivery.tries)
      .where('state', '=', 'pending')
      .executeTakeFirst()
    if (failure === null && numUpdatedRows > 0n)
      await insertAudit(transaction, [{ entry, atMs: nowMs }])
    await endWhenDone(transaction, delivery, nowMs)
  })
}

/** What could not be made, and is tried later. Fails with database.lease_lost. */
export async function noteReportWaiting(
  { database, held }: Deps,
  { reportId, dueMs }: ReportRun,
  reason: string,
  nextMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('report_deliveries')
      .set({ next_ms: nextMs })
      .where('report_id', '=', reportId)
      .where('due_ms', '=', dueMs)
      .where('state', '=', 'pending')
      .where('next_ms', '<=', nextMs)
      .execute()
    await updateRun(transaction, { reportId, dueMs }).set({ reason }).execute()
  })
}

/** Nothing of it is sent any more. Fails with database.lease_lost. */
export async function failReportRun(
  { database, held }: Deps,
  run: ReportRun,
  reason: string,
  nowMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('report_deliveries')
      .set({ state: 'failed', next_ms: null, failure: reason.slice(0, MAX_FAILURE_CHARACTERS) })
      .where('report_id', '=', run.reportId)
      .where('due_ms', '=', run.dueMs)
      .where('state', '=', 'pending')
      .execute()
    await updateRun(transaction, run).set({ state: 'failed', reason, ended_ms: nowMs }).execute()
  })
}

/** Null: too large to be attached. */
export async function noteReportBytes(
  { database, held }: Deps,
  run: ReportRun,
  bytes: number | null,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await updateRun(transaction, run).set({ bytes, reason: '' }).execute()
  })
}

async function endWhenDone(
  transaction: DatabaseTransaction,
  run: ReportRun,
  nowMs: number,
): Promise<void> {
  const rows = await transaction
    .selectFrom('report_deliveries')
    .select(['state', 'target_name', 'failure'])
    .where('report_id', '=', run.reportId)
    .where('due_ms', '=', run.dueMs)
    .orderBy('target_id')
    .execute()
  if (rows.some(({ state }) => state === 'pending')) return
  const failed = rows.filter(({ state }) => state === 'failed')
  const reason = failed.map((row) => `${row.target_name}: ${row.failure}`).join('; ')
  const state = failed.length === 0 ? 'sent' : 'failed'
  await updateRun(transaction, run).set({ state, reason, ended_ms: nowMs }).execute()
}

function updateRun(transaction: DatabaseTransaction, { reportId, dueMs }: ReportRun) {
  return transaction
    .updateTable('report_runs')
    .where('report_id', '=', reportId)
    .where('due_ms', '=', dueMs)
    .where('state', '=', 'begun')
}

function updateDelivery(
  transaction: DatabaseTransaction,
  { reportId, dueMs, targetId }: Omit<ReportDelivery, 'tries'>,
) {
  return transaction
    .updateTable('report_deliveries')
    .where('report_id', '=', reportId)
    .where('due_ms', '=', dueMs)
    .where('target_id', '=', targetId)
}
