// addApp: makes an app, or with -update changes one.
import { requireList } from '../../../../infra/metastore/dashboards/app-list-names.ts'
import {
  addDashboard,
  changeApp,
  addApp as makeApp,
} from '../../../../infra/metastore/dashboards/change-apps.ts'
import { requireEditableApp } from '../../../../infra/metastore/dashboards/read-apps.ts'
import { addApp as published } from '../../../../schemas/sdk/dashboards/add-app.ts'
import { checkSources } from '../../../dashboards/check-definition.ts'
import { requireReadyMade } from '../../../dashboards/ready-made.ts'
import { memberOf } from '../../objects/member-of.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addApp = serveCommand(
  published,
  async (input, { clock, caller, objects }) => {
    const { name, update, readyMade, viewGroups, viewUsers, editGroups, editUsers, ...given } =
      input
    checkSources('sources', input.sources ?? null)
    const who = memberOf(await objects.viewer())
    const ready = readyMade === undefined ? undefined : requireReadyMade(readyMade)
    return async (transaction) => {
      const nowMs = clock.nowMs()
      const viewers = await requireList(transaction, listOf(viewGroups, viewUsers))
      const editors = await requireList(transaction, listOf(editGroups, editUsers))
      const lists = { viewers, editors }
      if (update === true) {
        const { id } = await requireEditableApp(transaction, name, who)
        const app = await changeApp(transaction, id, { settings: given, ...lists }, nowMs)
        return { name: app.name, dashboards: [] }
      }
      const { dashboards = [], name: _, ...settings } = ready ?? {}
      const merged = { ...settings, ...definedOf(given) }
      const app = await makeApp(transaction, { name, settings: merged, ...lists }, nowMs)
      for (const one of dashboards)
        await addDashboard(transaction, app.id, { ...one, savedBy: caller.user.id }, nowMs)
      return { name: app.name, dashboards: dashboards.map((one) => one.name) }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** One of the two given: the other is empty. */
function listOf(groups: string[] | undefined, users: string[] | undefined) {
  if (groups === undefined && users === undefined) return undefined
  return { groups: groups ?? [], users: users ?? [] }
}

function definedOf<Given extends object>(given: Given): Partial<Given> {
  const result: Partial<Given> = { ...given }
  for (const name in result) if (result[name] === undefined) delete result[name]
  return result
}
