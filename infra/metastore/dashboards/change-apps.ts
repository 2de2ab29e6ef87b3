// Apps and dashboards are made, changed and removed inside the caller's transaction. Who may do it,
// the caller has asked.
import { type AppSettings, appSettings, DEFAULT_APP } from '../../../schemas/dashboards/app.ts'
import type { DashboardDefinition } from '../../../schemas/dashboards/dashboard.ts'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { takeIds } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'
import type { AppList } from './app-access.ts'
import {
  type App,
  appOf,
  type Dashboard,
  dashboardOf,
  findApp,
  findDashboard,
} from './read-apps.ts'

export const MAX_APPS = 500
export const MAX_DASHBOARDS = 200

/** What is undefined stays, or gets its default in a new app. */
export type AppChange = {
  readonly name?: string | undefined
  readonly settings?: { readonly [P in keyof AppSettings]?: AppSettings[P] | undefined } | undefined
  /** Null: everybody. */
  readonly viewers?: AppList | null | undefined
  readonly editors?: AppList | null | undefined
  /** The version that the caller has seen; undefined: whatever it is. */
  readonly version?: number | undefined
}

/** Fails with object.exists, object.looks_like_another, object.invalid (name), object.too_many. */
export async function addApp(
  transaction: DatabaseTransaction,
  change: AppChange & { readonly name: string },
  nowMs: number,
): Promise<App> {
  const { name, settings, viewers = null, editors = null } = change
  const others = await transaction
    .selectFrom('apps')
    .select(['id', 'name', 'name_folded'])
    .execute()
  refuseSame('app', name, others)
  if (others.length >= MAX_APPS)
    throw new Failure('object.too_many', { kind: 'app', max: MAX_APPS })
  const row = {
    ...{ id: await takeIds(transaction, 'app', 1), name, name_folded: foldName(name) },
    settings: mergeSettings(DEFAULT_APP, settings),
    ...viewColumns(viewers),
    ...editColumns(editors),
    ...{ version: 1, changed_ms: nowMs },
  }
  await transaction.insertInto('apps').values(row).execute()
  return appOf(row)
}

/** Fails with object.not_found, object.changed and, for the name, as addApp. */
export async function changeApp(
  transaction: DatabaseTransaction,
  id: number,
  change: AppChange,
  nowMs: number,
): Promise<App> {
  const before = await findApp(transaction, id)
  if (before === undefined) throw new Failure('object.not_found', { kind: 'app', name: String(id) })
  const name = change.name ?? before.name
  refuseOther('app', before, change.version)
  const others = await transaction
    .selectFrom('apps')
    .select(['id', 'name', 'name_folded'])
    .execute()
  if (name !== before.name)
    refuseSame(
      'app',
      name,
      others.filter((it) => it.id !== id),
    )
  const { settings } = appOf(before)
  const row = {
    ...before,
    ...{ name, name_folded: foldName(name), settings: mergeSettings(settings, change.settings) },
    ...(change.viewers === undefined ? {} : viewColumns(change.viewers)),
    ...(change.editors === undefined ? {} : editColumns(change.editors)),
    ...{ version: before.version + 1, changed_ms: nowMs },
  }
  await transaction.updateTable('apps').set(row).where('id', '=', id).execute()
  return appOf(row)
}

/** With its dashboards and their results. Fails with object.changed. */
export async function removeApp(
  transaction: DatabaseTransaction,
  app: App,
  version?: number,
): Promise<void> {
  refuseOther('app', app, version)
  const own = transaction.selectFrom('dashboards').select('id').where('app_id', '=', app.id)
  await transaction.deleteFrom('dashboard_results').where('dashboard_id', 'in', own).execute()
  await transaction.deleteFrom('dashboards').where('app_id', '=', app.id).execute()
  await transaction.deleteFrom('apps').where('id', '=', app.id).execute()
}

export type DashboardChange = {
  readonly name?: string | undefined
  readonly definition?: DashboardDefinition | undefined
  readonly savedBy: number
  readonly version?: number | undefined
}

/** Fails as addApp. */
export async function addDashboard(
  transaction: DatabaseTransaction,
  appId: number,
  change: DashboardChange & { readonly name: string; readonly definition: DashboardDefinition },
  nowMs: number,
): Promise<Dashboard> {
  const { name, definition, savedBy } = change
  const others = await namesOf(transaction, appId)
  refuseSame('dashboard', name, others)
  if (others.length >= MAX_DASHBOARDS)
    throw new Failure('object.too_many', { kind: 'dashboard', max: MAX_DASHBOARDS })
  const row = {
    ...{ id: await takeIds(transaction, 'dashboard', 1), app_id: appId, name },
    ...{ name_folded: foldName(name), definition: JSON.stringify(definition) },
    ...{ saved_by: savedBy, version: 1, changed_ms: nowMs },
  }
  await transaction.insertInto('dashboards').values(row).execute()
  return dashboardOf(row)
}

/** Fails with object.not_found, object.changed and, for the name, as addDashboard. */
export async function changeDashboard(
  transaction: DatabaseTransaction,
  dashboard: Pick<Dashboard, 'id' | 'appId'>,
  change: DashboardChange,
  nowMs: number,
): Promise<Dashboard> {
  const { id, appId } = dashboard
  const before = await findDashboard(transaction, appId, id)
  if (before === undefined)
    throw new Failure('object.not_found', { kind: 'dashboard', name: String(id) })
  refuseOther('dashboard', before, change.version)
  const name = change.name ?? before.name
  if (name !== before.name) {
    const others = await namesOf(transaction, appId)
    refuseSame(
      'dashboard',
      name,
      others.filter((it) => it.id !== id),
    )
  }
  const { definition } = change
  const row = {
    ...before,
    ...{ name, name_folded: foldName(name) },
    definition: definition === undefined ? before.definition : JSON.stringify(definition),
    ...{ saved_by: change.savedBy, version: before.version + 1, changed_ms: nowMs },
  }
  await transaction.updateTable('dashboards').set(row).where('id', '=', id).execute()
  return dashboardOf(row)
}

/** With its results. Fails with object.changed. */
export async function removeDashboard(
  transaction: DatabaseTransaction,
  dashboard: Dashboard,
  version?: number,
): Promise<void> {
  refuseOther('dashboard', dashboard, version)
  const { id } = dashboard
  await transaction.deleteFrom('dashboard_results').where('dashboard_id', '=', id).execute()
  await transaction.deleteFrom('dashboards').where('id', '=', id).execute()
}

type NameRow = { readonly id: number; readonly name: string; readonly name_folded: string }

function namesOf(transaction: DatabaseTransaction, appId: number): Promise<NameRow[]> {
  const all = transaction.selectFrom('dashboards').select(['id', 'name', 'name_folded'])
  return all.where('app_id', '=', appId).execute()
}

function refuseSame(kind: 'app' | 'dashboard', name: string, others: readonly NameRow[]): void {
  const same = others.find((it) => it.name_folded === foldName(name))
  if (same !== undefined) throw new Failure('object.exists', { kind, name: same.name })
  requireNameCharacters(kind, name)
  refuseAlike(kind, name, others)
}

function refuseOther(
  kind: string,
  { name, version }: { readonly name: string; readonly version: number },
  seen: number | undefined,
): void {
  if (seen !== undefined && seen !== version) throw new Failure('object.changed', { kind, name })
}

function mergeSettings(before: AppSettings, change: AppChange['settings'] = {}): string {
  // Through JSON: it leaves out what is undefined.
  const given: unknown = JSON.parse(JSON.stringify(change))
  return JSON.stringify(appSettings.parse({ ...before, ...Object(given) }))
}

function viewColumns(list: AppList | null) {
  return { view_groups: print(list?.groups), view_users: print(list?.users) }
}

function editColumns(list: AppList | null) {
  return { edit_groups: print(list?.groups), edit_users: print(list?.users) }
}

function print(ids: readonly number[] | undefined): string | null {
  return ids === undefined ? null : JSON.stringify(ids)
}
