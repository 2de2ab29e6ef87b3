// Apps and dashboards as they stand in the database, all or one, and who may have them.
import type { Kysely } from 'kysely'
import { type AppSettings, appSettings } from '../../../schemas/dashboards/app.ts'
import {
  type DashboardDefinition,
  dashboardDefinition,
} from '../../../schemas/dashboards/dashboard.ts'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { AppRow, DashboardRow } from '../../database/rows/dashboard-tables.ts'
import type { Tables } from '../../database/tables.ts'
import { readIdList } from '../json-list.ts'
import {
  type AppList,
  type AppLists,
  type Membership,
  mayEditApp,
  mayViewApp,
} from './app-access.ts'

export type App = AppLists & {
  readonly id: number
  readonly name: string
  readonly settings: AppSettings
  readonly version: number
}

/** Without what it shows. */
export type DashboardHead = {
  readonly id: number
  readonly appId: number
  readonly name: string
  readonly version: number
}

export type Dashboard = DashboardHead & {
  readonly definition: DashboardDefinition
  /** User of the last change. */
  readonly savedBy: number
  readonly changedMs: number
}

/** By id, or by a name whose letter case does not count. */
export type Named = number | string

/** Apps and dashboards by name; of this user's eyes where one is given. */
export async function listApps(db: Kysely<Tables>, who?: Membership): Promise<readonly App[]> {
  const rows = await db.selectFrom('apps').selectAll().orderBy('name_folded').execute()
  const apps = rows.map(appOf)
  return who === undefined ? apps : apps.filter((app) => mayViewApp(app, who))
}

export async function listDashboardHeads(db: Kysely<Tables>): Promise<readonly DashboardHead[]> {
  const rows = await db
    .selectFrom('dashboards')
    .select(['id', 'app_id', 'name', 'version'])
    .orderBy('name_folded')
    .execute()
  return rows.map(({ app_id, ...rest }) => ({ ...rest, appId: app_id }))
}

export async function listDashboards(
  db: Kysely<Tables>,
  appId?: number,
): Promise<readonly Dashboard[]> {
  const all = db.selectFrom('dashboards').selectAll().orderBy('name_folded')
  const rows = await (appId === undefined ? all : all.where('app_id', '=', appId)).execute()
  return rows.map(dashboardOf)
}

/** Fails with object.not_found, also where the user may not view it. */
export async function requireApp(
  db: Kysely<Tables>,
  named: Named,
  who: Membership | undefined,
): Promise<App> {
  const row = await findApp(db, named)
  const app = row && appOf(row)
  if (app === undefined || !mayViewApp(app, who))
    throw new Failure('object.not_found', { kind: 'app', name: String(named) })
  return app
}

/** Fails as requireApp, and with rights.not_editable. */
export async function requireEditableApp(
  db: Kysely<Tables>,
  named: Named,
  who: Membership | undefined,
): Promise<App> {
  const app = await requireApp(db, named, who)
  if (!mayEditApp(app, who))
    throw new Failure('rights.not_editable', { kind: 'app', name: app.name })
  return app
}

/** Fails with object.not_found. */
export async function requireDashboard(
  db: Kysely<Tables>,
  appId: number,
  named: Named,
): Promise<Dashboard> {
  const row = await findDashboard(db, appId, named)
  if (row === undefined)
    throw new Failure('object.not_found', { kind: 'dashboard', name: String(named) })
  return dashboardOf(row)
}

export function findDashboard(
  db: Kysely<Tables>,
  appId: number,
  named: Named,
): Promise<DashboardRow | undefined> {
  const own = db.selectFrom('dashboards').selectAll().where('app_id', '=', appId)
  return (
    typeof named === 'number'
      ? own.where('id', '=', named)
      : own.where('name_folded', '=', foldName(named.trim()))
  ).executeTakeFirst()
}

export function findApp(db: Kysely<Tables>, named: Named): Promise<AppRow | undefined> {
  const all = db.selectFrom('apps').selectAll()
  return (
    typeof named === 'number'
      ? all.where('id', '=', named)
      : all.where('name_folded', '=', foldName(named.trim()))
  ).executeTakeFirst()
}

export function appOf(row: AppRow): App {
  const { id, name, version } = row
  return {
    ...{ id, name, version },
    settings: readJson(appSettings, row.settings),
    viewers: listOf(row.view_groups, row.view_users),
    editors: listOf(row.edit_groups, row.edit_users),
  }
}

export function dashboardOf(row: DashboardRow): Dashboard {
  const { id, name, version } = row
  const definition = readJson(dashboardDefinition, row.definition)
  const saved = { savedBy: row.saved_by, changedMs: Number(row.changed_ms) }
  return { ...{ id, name, version, definition }, appId: row.app_id, ...saved }
}

function listOf(groups: string | null, users: string | null): AppList | null {
  if (groups === null && users === null) return null
  return { groups: readIdList(groups ?? '[]'), users: readIdList(users ?? '[]') }
}

function readJson<T>(schema: { parse(value: unknown): T }, json: string): T {
  try {
    return schema.parse(JSON.parse(json))
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
