// Monitors as they stand in the database, read and changed inside the caller's transaction.
import type { Kysely } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import {
  DEFAULT_MONITOR,
  type MonitorSettings,
  monitorSettings,
} from '../../../schemas/monitors/monitor.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { MonitorRow } from '../../database/rows/monitor-tables.ts'
import type { Tables } from '../../database/tables.ts'
import { takeIds } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'
import { forgetMonitorMemory } from './monitor-kinds.ts'

const MAX_MONITORS = 2000

export type Monitor = {
  readonly id: number
  readonly name: string
  readonly ownerId: number
  readonly isEnabled: boolean
  readonly version: number
  readonly settings: MonitorSettings
  readonly sinceMs: number
  readonly lastDueMs: number
  readonly mark: string | null
  /** JSON of the evaluation's state. */
  readonly groups: string
  readonly status: string
  readonly reason: string
  readonly statusMs: number
  readonly mutedUntilMs: number
}

/** What is undefined stays, or gets its default in a new monitor. */
type MonitorChange = {
  readonly ownerId?: number | undefined
  readonly isEnabled?: boolean | undefined
  readonly settings: { readonly [P in keyof MonitorSettings]?: MonitorSettings[P] | undefined }
}

export async function listMonitors(db: Kysely<Tables>): Promise<readonly Monitor[]> {
  const rows = await db.selectFrom('monitors').selectAll().orderBy('name_folded').execute()
  return rows.map(monitorOf)
}

/** Fails with object.not_found. */
export async function requireMonitor(db: Kysely<Tables>, name: string): Promise<Monitor> {
  const row = await findRow(db, name)
  if (row === undefined) throw new Failure('object.not_found', { kind: 'monitor', name })
  return monitorOf(row)
}

/** Fails with object.exists, object.looks_like_another, object.invalid (name), object.too_many. */
export async function addMonitor(
  transaction: DatabaseTransaction,
  {
    name,
    ownerId,
    isEnabled = true,
    settings,
  }: MonitorChange & { readonly name: string; readonly ownerId: number },
  nowMs: number,
): Promise<Monitor> {
  const others = await transaction.selectFrom('monitors').select(['name', 'name_folded']).execute()
  if (others.some((it) => it.name_folded === foldName(name)))
    throw new Failure('object.exists', { kind: 'monitor', name })
  if (others.length >= MAX_MONITORS)
    throw new Failure('object.too_many', { kind: 'monitor', max: MAX_MONITORS })
  requireNameCharacters('monitor', name)
  refuseAlike('monitor', name, others)
  const row: MonitorRow = {
    ...{ id: await takeIds(transaction, 'monitor', 1), name, name_folded: foldName(name) },
    ...{ owner_id: ownerId, settings: merge(DEFAULT_MONITOR, settings) },
    ...{ is_enabled: isEnabled ? 1 : 0, version: 1, changed_ms: nowMs },
    ...{ since_ms: nowMs, last_due_ms: nowMs, mark: null, groups: '[]' },
    ...{ status: 'new', reason: '', status_ms: nowMs, muted_until_ms: 0 },
  }
  await transaction.insertInto('monitors').values(row).execute()
  return monitorOf(row)
}

/** Another schedule counts from now on. What is enabled again reads what is new since then. Fails
 *  with object.not_found. */
export async function changeMonitor(
  transaction: DatabaseTransaction,
  name: string,
  change: MonitorChange,
  nowMs: number,
): Promise<Monitor> {
  const before = await findRow(transaction, name)
  if (before === undefined) throw new Failure('object.not_found', { kind: 'monitor', name })
  const { settings } = monitorOf(before)
  const isEnabled = change.isEnabled ?? before.is_enabled === 1
  const begins = isEnabled && before.is_enabled === 0
  const row: MonitorRow = {
    ...before,
    ...{ owner_id: change.ownerId ?? before.owner_id },
    settings: merge(settings, change.settings),
    ...{ is_enabled: isEnabled ? 1 : 0, version: before.version + 1, changed_ms: nowMs },
    ...(begins ? { since_ms: nowMs, last_due_ms: nowMs, mark: null } : {}),
  }
  const { schedule } = change.settings
  if (schedule !== undefined && schedule !== settings.schedule) row.last_due_ms = nowMs
  await transaction.updateTable('monitors').set(row).where('id', '=', before.id).execute()
  return monitorOf(row)
}

/** Its open alerts are closed; they and its runs stay for as long as others. Fails with
 *  object.not_found. */
export async function removeMonitor(
  transaction: DatabaseTransaction,
  name: string,
  nowMs: number,
): Promise<void> {
  const { id } = await requireMonitor(transaction, name)
  await transaction
    .updateTable('alerts')
    .set({ closed_ms: nowMs })
    .where('monitor_id', '=', id)
    .where('closed_ms', 'is', null)
    .execute()
  await transaction.deleteFrom('monitor_runs').where('monitor_id', '=', id).execute()
  await forgetMonitorMemory(transaction, id)
  await transaction.deleteFrom('monitors').where('id', '=', id).execute()
}

/** 0: no more. Fails with object.not_found. */
export async function muteMonitor(
  transaction: DatabaseTransaction,
  name: string,
  untilMs: number,
): Promise<void> {
  const { id } = await requireMonitor(transaction, name)
  await transaction
    .updateTable('monitors')
    .set({ muted_until_ms: untilMs })
    .where('id', '=', id)
    .execute()
}

/** `2 monitors`, for what names an alert target. */
export async function findTargetUsers(
  transaction: Pick<DatabaseTransaction, 'selectFrom'>,
  target: string,
): Promise<readonly string[]> {
  const folded = foldName(target)
  const rows = await transaction.selectFrom('monitors').selectAll().execute()
  const count = rows.filter((row) => {
    const { actions, escalation } = monitorOf(row).settings
    const names = [...actions, ...escalation.map((step) => step.target)]
    return names.some((name) => foldName(name) === folded)
  }).length
  return count === 0 ? [] : [`${count} monitor${count === 1 ? '' : 's'}`]
}

function findRow(db: Kysely<Tables>, name: string): Promise<MonitorRow | undefined> {
  return db
    .selectFrom('monitors')
    .selectAll()
    .where('name_folded', '=', foldName(name))
    .executeTakeFirst()
}

function merge(before: object, change: object): string {
  // Through JSON: it leaves out what is undefined.
  const given: unknown = JSON.parse(JSON.stringify(change))
  return JSON.stringify(monitorSettings.parse({ ...before, ...Object(given) }))
}

/** Fails with database.damaged. */
export function monitorOf(row: MonitorRow): Monitor {
  try {
    return {
      ...{ id: Number(row.id), name: row.name, ownerId: Number(row.owner_id) },
      ...{ isEnabled: row.is_enabled === 1, version: Number(row.version) },
      settings: monitorSettings.parse(JSON.parse(row.settings)),
      ...{ sinceMs: Number(row.since_ms), lastDueMs: Number(row.last_due_ms), mark: row.mark },
      ...{ groups: row.groups, status: row.status, reason: row.reason },
      ...{ statusMs: Number(row.status_ms), mutedUntilMs: Number(row.muted_until_ms) },
    }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
