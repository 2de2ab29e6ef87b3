// setPermissions: sets who may view a folder or a log.
import { inheritViewers, setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { setPermissions as published } from '../../../schemas/sdk/set-permissions.ts'
import { printRootPath } from '../server/print-root-path.ts'
import { serveCommand } from '../server/serve-command.ts'

export const setPermissions = serveCommand(published, (input) => {
  const place = { kind: input.type, levels: input.path }
  const path = printRootPath(input.path)
  return async (transaction) => {
    if (input.inherit === true) {
      await inheritViewers(transaction, place)
      return { path, inherit: true as const }
    }
    const viewers = { groups: input.viewGroups ?? [], users: input.viewUsers ?? [] }
    await setViewers(transaction, place, viewers)
    return { path, viewGroups: viewers.groups, viewUsers: viewers.users }
  }
})
