// removeMember: takes a folder or a log out of the tree.
import { removeNode } from '../../../../infra/metastore/tree/remove-node.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { removeMember as published } from '../../../../schemas/sdk/tree/remove-member.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const removeMember = serveCommand(
  published,
  async ({ path, type: kind, data = 'keep' }, { clock, requireEditable, requireEditableBelow }) => {
    if (data === 'delete')
      throw new Failure('sdk.not_yet', {
        what: 'deleting data with a log',
        hint: 'deleteData deletes its events; then give -data keep',
      })
    const place = { kind, levels: path }
    await requireEditable(place)
    if (kind === 'folder') await requireEditableBelow(path)
    return async (transaction) => {
      const { folders, logs, accounts } = await removeNode(transaction, clock, place)
      const notes = accounts.map(
        (name) =>
          `the listener account ${name} has written here: its next event for such a log makes it again`,
      )
      return { path: printRootPath(path), folders, logs, notes }
    }
  },
)
