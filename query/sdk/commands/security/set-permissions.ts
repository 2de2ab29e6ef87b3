// setPermissions: sets who may view and who may edit a folder or a log.
import {
  inheritEditors,
  inheritViewers,
  setEditors,
  setViewers,
} from '../../../../infra/metastore/rights/node-permissions.ts'
import { setPermissions as published } from '../../../../schemas/sdk/security/set-permissions.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const setPermissions = serveCommand(published, async (input, { requireVisible }) => {
  const { viewGroups, viewUsers, editGroups, editUsers, inherit } = input
  const place = { kind: input.type, levels: input.path }
  await requireVisible(place)
  const viewers = readLists(viewGroups, viewUsers)
  const editors = readLists(editGroups, editUsers)
  return async (transaction) => {
    if (inherit === true || inherit === 'view') await inheritViewers(transaction, place)
    if (inherit === true || inherit === 'edit') await inheritEditors(transaction, place)
    if (viewers !== undefined) await setViewers(transaction, place, viewers)
    if (editors !== undefined) await setEditors(transaction, place, editors)
    return {
      path: printRootPath(input.path),
      ...(inherit === undefined || inherit === false ? {} : { inherit }),
      ...(viewers && { viewGroups: viewers.groups, viewUsers: viewers.users }),
      ...(editors && { editGroups: editors.groups, editUsers: editors.users }),
    }
  }
})

/** One of the two given: the other is empty. */
function readLists(groups: string[] | undefined, users: string[] | undefined) {
  if (groups === undefined && users === undefined) return undefined
  return { groups: groups ?? [], users: users ?? [] }
}
