// Maintenance windows, read and changed inside the caller's transaction.
import type { Kysely } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import {
  type MaintenanceSettings,
  maintenanceSettings,
} from '../../../schemas/monitors/maintenance.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { MaintenanceWindowRow } from '../../database/rows/monitor-tables.ts'
import type { Tables } from '../../database/tables.ts'
import { takeIds } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'

const MAX_WINDOWS = 500
const KIND = 'maintenance window'
const DEFAULTS: MaintenanceSettings = {
  ...{ description: '', monitors: [], start: '', end: '', cron: '', minutes: 60, timeZone: '' },
}

export type MaintenanceWindow = {
  readonly id: number
  readonly name: string
  readonly isEnabled: boolean
  readonly settings: MaintenanceSettings
}

type MaintenanceChange = {
  readonly isEnabled?: boolean | undefined
  readonly settings: {
    readonly [P in keyof MaintenanceSettings]?: MaintenanceSettings[P] | undefined
  }
}

export async function listMaintenanceWindows(
  db: Kysely<Tables>,
): Promise<readonly MaintenanceWindow[]> {
  const rows = await db
    .selectFrom('maintenance_windows')
    .selectAll()
    .orderBy('name_folded')
    .execute()
  return rows.map(windowOf)
}

/** Fails with object.exists, object.looks_like_another, object.invalid (name), object.too_many. */
export async function addMaintenanceWindow(
  transaction: DatabaseTransaction,
  { name, isEnabled = true, settings }: MaintenanceChange & { readonly name: string },
  nowMs: number,
): Promise<MaintenanceWindow> {
  const others = await transaction
    .selectFrom('maintenance_windows')
    .select(['name', 'name_folded'])
    .execute()
  if (others.some((it) => it.name_folded === foldName(name)))
    throw new Failure('object.exists', { kind: KIND, name })
  if (others.length >= MAX_WINDOWS)
    throw new Failure('object.too_many', { kind: KIND, max: MAX_WINDOWS })
  requireNameCharacters(KIND, name)
  refuseAlike(KIND, name, others)
  const row: MaintenanceWindowRow = {
    ...{
      id: await takeIds(transaction, 'maintenanceWindow', 1),
      name,
      name_folded: foldName(name),
    },
    ...{ settings: merge(DEFAULTS, settings), is_enabled: isEnabled ? 1 : 0, changed_ms: nowMs },
  }
  await transaction.insertInto('maintenance_windows').values(row).execute()
  return windowOf(row)
}

/** Fails with object.not_found. */
export async function changeMaintenanceWindow(
  transaction: DatabaseTransaction,
  name: string,
  { isEnabled, settings }: MaintenanceChange,
  nowMs: number,
): Promise<MaintenanceWindow> {
  const before = await requireMaintenanceWindow(transaction, name)
  const changed = {
    settings: merge(before.settings, settings),
    is_enabled: (isEnabled ?? before.isEnabled) ? (1 as const) : (0 as const),
    changed_ms: nowMs,
  }
  await transaction
    .updateTable('maintenance_windows')
    .set(changed)
    .where('id', '=', before.id)
    .execute()
  return await requireMaintenanceWindow(transaction, name)
}

/** Fails with object.not_found. */
export async function removeMaintenanceWindow(
  transaction: DatabaseTransaction,
  name: string,
): Promise<void> {
  const { id } = await requireMaintenanceWindow(transaction, name)
  await transaction.deleteFrom('maintenance_windows').where('id', '=', id).execute()
}

async function requireMaintenanceWindow(
  transaction: DatabaseTransaction,
  name: string,
): Promise<MaintenanceWindow> {
  const row = await transaction
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('name_folded', '=', foldName(name))
    .executeTakeFirst()
  if (row === undefined) throw new Failure('object.not_found', { kind: KIND, name })
  return windowOf(row)
}

function merge(before: object, change: object): string {
  // Through JSON: it leaves out what is undefined.
  const given: unknown = JSON.parse(JSON.stringify(change))
  return JSON.stringify(maintenanceSettings.parse({ ...before, ...Object(given) }))
}

function windowOf(row: MaintenanceWindowRow): MaintenanceWindow {
  try {
    const settings = maintenanceSettings.parse(JSON.parse(row.settings))
    return { id: Number(row.id), name: row.name, isEnabled: row.is_enabled === 1, settings }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
