// addFolder: makes a folder, or with -update changes one.
import { addFolder as add, changeFolder } from '../../../../infra/metastore/tree/folder-changes.ts'
import { addFolder as published } from '../../../../schemas/sdk/tree/add-folder.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addFolder = serveCommand(
  published,
  async (
    { name, parentFolder: parent = [], description, update },
    { requireVisible, requireEditable },
  ) => {
    await requireVisible({ kind: 'folder', levels: parent })
    const isChange = update === true
    const levels = isChange ? [...parent, name] : parent
    await requireEditable({ kind: 'folder', levels })
    return async (transaction) => {
      const place = { parent, name }
      const id = isChange
        ? await changeFolder(transaction, place, description)
        : await add(transaction, place, description ?? '')
      return { id: `f${id}`, path: printRootPath([...parent, name]) }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)
