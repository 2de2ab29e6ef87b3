// Dashboards, named as `App->Dashboard`.
import { mayViewApp } from '../../../infra/metastore/dashboards/app-access.ts'
import { removeDashboard } from '../../../infra/metastore/dashboards/change-apps.ts'
import {
  listApps,
  listDashboards,
  requireDashboard,
  requireEditableApp,
} from '../../../infra/metastore/dashboards/read-apps.ts'
import { NAME_SEPARATOR } from '../../../schemas/dashboards/app.ts'
import { memberOf } from './member-of.ts'
import type { ObjectKind } from './object-kind.ts'

export const dashboard: ObjectKind = {
  type: 'dashboard',
  command: 'addDashboard',
  nameOf: ({ app = '', name = '' }) => `${app.trim()}${NAME_SEPARATOR}${name.trim()}`,
  rename: (given, newName) => {
    const [first = '', second] = newName.split(NAME_SEPARATOR)
    return second === undefined
      ? { ...given, name: newName }
      : { ...given, app: first, name: second }
  },
  needs: ({ app = '' }) => [{ type: 'app', name: app.trim() }],
  readAll: async (transaction, viewer) => {
    const who = memberOf(viewer)
    const apps = new Map((await listApps(transaction)).map((app) => [app.id, app]))
    return (await listDashboards(transaction)).flatMap(({ appId, name, definition }) => {
      const app = apps.get(appId)
      if (app === undefined || !mayViewApp(app, who)) return []
      const given = { app: app.name, name, file: `${JSON.stringify(definition, null, 2)}\n` }
      return [{ name: dashboard.nameOf(given), arguments: given }]
    })
  },
  removal: {
    remove: async (transaction, name, _nowMs, viewer) => {
      const [first = '', second = ''] = name.split(NAME_SEPARATOR)
      const app = await requireEditableApp(transaction, first, memberOf(viewer))
      await removeDashboard(transaction, await requireDashboard(transaction, app.id, second))
    },
  },
}
