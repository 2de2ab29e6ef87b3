// Apps and dashboards over HTTP: /logeye/api/apps for browsers and programs.
import type { RouteTable, ServedRoute } from '../../infra/http/routes/route.ts'
import { ERROR_ENVELOPE } from '../search-json/failed-answer.ts'
import { APPS_PATH, makeAppRoutes, makeTellApp } from './routes/app-routes.ts'
import { makeDashboardRoutes } from './routes/dashboard-routes.ts'
import { makeFileRoutes } from './routes/file-routes.ts'
import type { ResultDeps } from './routes/result-deps.ts'

export function makeDashboardsTable(deps: ResultDeps, results: readonly ServedRoute[]): RouteTable {
  const routes = [
    ...makeFileRoutes({ ...deps, tell: makeTellApp(deps.metastore) }),
    ...makeAppRoutes(deps),
    ...makeDashboardRoutes(deps),
    ...results,
  ]
  return { ...ERROR_ENVELOPE, prefix: APPS_PATH, routes }
}
