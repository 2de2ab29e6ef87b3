// Folders, by their path.
import { EMPTY_TREE, loadTree } from '../../../../infra/metastore/tree/tree-cache.ts'
import { SYSTEM_FOLDER } from '../../../../schemas/names/log-path.ts'
import { pathValue } from '../../../../schemas/sdk/values.ts'
import type { ObjectArguments, ObjectKind } from '../object-kind.ts'
import { findHandMade } from './hand-made.ts'
import { nodeName, parentOf, placeArguments } from './node-names.ts'

export const folder: ObjectKind = {
  type: 'folder',
  command: 'addFolder',
  isCaseSensitive: true,
  isReadByViewers: true,
  nameOf: nodeName,
  rename: (given, newName) => ({ ...given, ...placeArguments(pathValue.parse(newName)) }),
  needs: parentOf,
  readAll: async (transaction, { folders: visible }) => {
    const tree = await loadTree(transaction, EMPTY_TREE, 0)
    const handMade = await findHandMade(transaction, tree)
    const shown = [...tree.folders.values()].flatMap(({ id, description }) => {
      const levels = tree.folderLevels.get(id) ?? []
      if (levels[0] === SYSTEM_FOLDER) return []
      if (visible !== 'all' && !visible.has(id)) return []
      const given: ObjectArguments = { ...placeArguments(levels), description }
      const origin = handMade.folders.has(id) ? {} : ({ origin: 'data' } as const)
      return [{ name: nodeName(given), arguments: given, ...origin }]
    })
    return shown
  },
  removal: {
    command: 'removeMember',
    arguments: (name) => ({ path: name, type: 'folder' }),
  },
  dataAfterRemoval:
    'the events of its logs stay on disk, and are found again when a log of the same path is made',
}
