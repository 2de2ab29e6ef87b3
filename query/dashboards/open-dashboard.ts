// One dashboard in the eyes of its viewer: found, its stored result, run anew.

import {
  type App,
  type Dashboard,
  type Named,
  requireApp,
  requireDashboard,
} from '../../infra/metastore/dashboards/read-apps.ts'
import { findResult, madeOf, noteAsked } from '../../infra/metastore/dashboards/stored-results.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import type { Reader } from '../../infra/metastore/rights/port.ts'
import { type DashboardResult, dashboardResult } from '../../schemas/dashboards/result.ts'
import { Failure } from '../../schemas/failures.ts'

export type OpenedDashboard = { readonly app: App; readonly dashboard: Dashboard }

/** Fails with object.not_found, also where the user may not view the app. */
export async function openDashboard(
  metastore: OpenedMetastore,
  reader: Reader,
  named: { readonly app: Named; readonly dashboard: Named },
): Promise<OpenedDashboard> {
  const who = await metastore.membership(reader)
  return await metastore.database.snapshot(async (transaction) => {
    const app = await requireApp(transaction, named.app, who)
    return { app, dashboard: await requireDashboard(transaction, app.id, named.dashboard) }
  })
}

/** The latest that was made of exactly what this reader may view. */
export async function readStored(
  metastore: OpenedMetastore,
  reader: Reader,
  { app, dashboard }: OpenedDashboard,
  nowMs: number,
): Promise<DashboardResult | undefined> {
  const visible = await metastore.visibleLogs(reader)
  const question = { dashboardId: dashboard.id, madeOf: madeOf(app, dashboard), visible }
  const { database } = metastore
  const found = await database.snapshot((transaction) => findResult(transaction, question))
  if (found === undefined) return undefined
  await database.write((transaction) => noteAsked(transaction, dashboard.id, nowMs, visible))
  const parsed = dashboardResult.safeParse(JSON.parse(found.result))
  if (parsed.success) return parsed.data
  throw new Failure('database.damaged', {}, parsed.error)
}
