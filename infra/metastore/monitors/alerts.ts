// Alerts, opened and closed in the transaction that records a monitor's run, and acknowledged and
// muted by people.
import type { Kysely } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { AlertRow } from '../../database/rows/monitor-tables.ts'
import type { Tables } from '../../database/tables.ts'
import { takeIds } from '../counters.ts'

type NewAlert = Pick<
  AlertRow,
  'monitor_id' | 'monitor_name' | 'group_key' | 'severity' | 'opened_ms' | 'count'
> &
  Pick<AlertRow, 'sample' | 'seen' | 'query' | 'rule' | 'time_window'>

export async function openAlert(transaction: DatabaseTransaction, alert: NewAlert) {
  const row: AlertRow = {
    ...alert,
    ...{ id: await takeIds(transaction, 'alert', 1), last_ms: alert.opened_ms, closed_ms: null },
    ...{ acknowledged_by: null, acknowledged_ms: null, muted_until_ms: 0, escalated: 0 },
  }
  await transaction.insertInto('alerts').values(row).execute()
  return row
}

/** By group. */
export async function openAlertsOf(
  transaction: DatabaseTransaction,
  monitorId: number,
): Promise<ReadonlyMap<string, AlertRow>> {
  const rows = await transaction
    .selectFrom('alerts')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .where('closed_ms', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.group_key, alertOf(row)]))
}

export async function changeAlert(
  transaction: DatabaseTransaction,
  id: number,
  change: Partial<Omit<AlertRow, 'id'>>,
): Promise<void> {
  await transaction.updateTable('alerts').set(change).where('id', '=', id).execute()
}

/** Newest first. */
export async function listAlerts(
  db: Kysely<Tables>,
  asked: { readonly isOpen?: boolean | undefined; readonly limit: number },
): Promise<readonly AlertRow[]> {
  const all = db.selectFrom('alerts').selectAll().orderBy('id', 'desc').limit(asked.limit)
  const wanted =
    asked.isOpen === undefined ? all : all.where('closed_ms', asked.isOpen ? 'is' : 'is not', null)
  return (await wanted.execute()).map(alertOf)
}

/** Open ones that nobody has acknowledged, the oldest first. */
export async function listUnseenAlerts(db: Kysely<Tables>): Promise<readonly AlertRow[]> {
  const rows = await db
    .selectFrom('alerts')
    .selectAll()
    .where('closed_ms', 'is', null)
    .where('acknowledged_ms', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(alertOf)
}

/** Fails with object.not_found. */
export async function requireAlert(db: Kysely<Tables>, id: number): Promise<AlertRow> {
  const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Failure('object.not_found', { kind: 'alert', name: String(id) })
  return alertOf(row)
}

/** JSON of what the alert was made of (null: not stored), and the owner of its monitor. Undefined
 *  where one of the two does not exist any more. */
export async function readSeenOf(
  db: Kysely<Tables>,
  alertId: number,
): Promise<{ readonly seen: string | null; readonly ownerId: number } | undefined> {
  const row = await db
    .selectFrom('alerts')
    .innerJoin('monitors', 'monitors.id', 'alerts.monitor_id')
    .select(['alerts.seen', 'monitors.owner_id'])
    .where('alerts.id', '=', alertId)
    .executeTakeFirst()
  return row && { seen: row.seen, ownerId: Number(row.owner_id) }
}

/** Numbers of PostgreSQL come as text. */
function alertOf(row: AlertRow): AlertRow {
  return {
    ...row,
    ...{ id: Number(row.id), monitor_id: Number(row.monitor_id), count: Number(row.count) },
    ...{ opened_ms: Number(row.opened_ms), last_ms: Number(row.last_ms) },
    closed_ms: row.closed_ms === null ? null : Number(row.closed_ms),
    acknowledged_ms: row.acknowledged_ms === null ? null : Number(row.acknowledged_ms),
    ...{ muted_until_ms: Number(row.muted_until_ms), escalated: Number(row.escalated) },
  }
}
