// Ended runs of monitors and reports and closed alerts are kept for as many days as the audit log;
// with an alert go its messages and their attempts. In small transactions, as the audit log goes.
import { type Fence, requireFence } from '../../database/lease.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { Job, JobContext } from '../../scheduler/job.ts'

const DAY_MS = 86_400_000
const ROWS_A_TRANSACTION = 200
/** A round ends here; what is left goes in the next. */
const MAX_TRANSACTIONS = 2000
const PAUSE_MS = 20

export const monitorRetention: Job = {
  name: 'monitor-retention',
  everyMs: 3_600_000,
  limitMs: 900_000,
  run: async (context) => {
    const beforeMs = context.clock.nowMs() - context.metastore.setting('system.auditDays') * DAY_MS
    await repeat(context, (transaction) => removeRuns(transaction, beforeMs))
    await repeat(context, (transaction) => removeAlerts(transaction, beforeMs))
    await repeat(context, (transaction) => removeDigests(transaction, beforeMs))
    await repeat(context, (transaction) => removeReportRuns(transaction, beforeMs))
  },
}

async function repeat(
  {
    database,
    held,
    clock,
    signal,
  }: Pick<JobContext, 'database' | 'clock' | 'signal'> & {
    readonly held: Fence
  },
  remove: (transaction: DatabaseTransaction) => Promise<number>,
): Promise<void> {
  for (let round = 0; round < MAX_TRANSACTIONS && !signal.aborted; round += 1) {
    const removed = await database.write(async (transaction) => {
      await requireFence(transaction, held)
      return await remove(transaction)
    })
    if (removed < ROWS_A_TRANSACTION) return
    await clock.sleep(PAUSE_MS, signal)
  }
}

async function removeRuns(transaction: DatabaseTransaction, beforeMs: number): Promise<number> {
  const old = await transaction
    .selectFrom('monitor_runs')
    .select(['monitor_id', 'due_ms'])
    .where('due_ms', '<', beforeMs)
    .where('state', '!=', 'begun')
    .limit(ROWS_A_TRANSACTION)
    .execute()
  for (const { monitor_id, due_ms } of old)
    await transaction
      .deleteFrom('monitor_runs')
      .where('monitor_id', '=', monitor_id)
      .where('due_ms', '=', due_ms)
      .execute()
  return old.length
}

async function removeAlerts(transaction: DatabaseTransaction, beforeMs: number): Promise<number> {
  const old = await transaction
    .selectFrom('alerts')
    .select('id')
    .where('closed_ms', '<', beforeMs)
    .orderBy('closed_ms')
    .limit(ROWS_A_TRANSACTION)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return 0
  const messages = transaction
    .selectFrom('alert_messages')
    .select('id')
    .where('alert_id', 'in', ids)
  await transaction.deleteFrom('alert_attempts').where('message_id', 'in', messages).execute()
  await transaction.deleteFrom('alert_messages').where('alert_id', 'in', ids).execute()
  await transaction.deleteFrom('alerts').where('id', 'in', ids).execute()
  return ids.length
}

async function removeReportRuns(
  transaction: DatabaseTransaction,
  beforeMs: number,
): Promise<number> {
  const old = await transaction
    .selectFrom('report_runs')
    .select(['report_id', 'due_ms'])
    .where('due_ms', '<', beforeMs)
    .where('state', '!=', 'begun')
    .limit(ROWS_A_TRANSACTION)
    .execute()
  for (const { report_id, due_ms } of old)
    for (const table of ['report_deliveries', 'report_runs'] as const)
      await transaction
        .deleteFrom(table)
        .where('report_id', '=', report_id)
        .where('due_ms', '=', due_ms)
        .execute()
  return old.length
}

/** Messages of several alerts. */
async function removeDigests(transaction: DatabaseTransaction, beforeMs: number): Promise<number> {
  const old = await transaction
    .selectFrom('alert_messages')
    .select('id')
    .where('alert_id', '=', 0)
    .where('made_ms', '<', beforeMs)
    .where('state', '!=', 'pending')
    .limit(ROWS_A_TRANSACTION)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return 0
  await transaction.deleteFrom('alert_attempts').where('message_id', 'in', ids).execute()
  await transaction.deleteFrom('alert_messages').where('id', 'in', ids).execute()
  return ids.length
}
