// Who may view a folder or a log, where it sets viewers of its own; named like a scope of the
// search language: folder.Web->Edge, log.Web->Edge->access.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { readIdList } from '../../../../infra/metastore/json-list.ts'
import {
  EMPTY_TREE,
  type IndexedTree,
  loadTree,
  ROOT_FOLDER_ID,
} from '../../../../infra/metastore/tree/tree-cache.ts'
import { SYSTEM_FOLDER } from '../../../../schemas/names/log-path.ts'
import { pathValue } from '../../../../schemas/sdk/values.ts'
import type { ObjectArguments, ObjectKind, ObjectViewer } from '../object-kind.ts'
import { printList, printPath } from '../print-values.ts'

type NodeKind = 'folder' | 'log'

export const permission: ObjectKind = {
  type: 'permission',
  command: 'setPermissions',
  change: {},
  isCaseSensitive: true,
  nameOf: ({ type = '', path = '' }) => `${type}.${printPath(pathValue.parse(path))}`,
  rename: (given, newName) => ({ ...given, ...readName(newName) }),
  needs: ({ type, path = '' }) => {
    const levels = pathValue.parse(path)
    if (levels.length === 0) return []
    return [{ type: type === 'log' ? 'log' : 'folder', name: printPath(levels) }]
  },
  readAll: async (transaction, viewer) => {
    const rows = await transaction
      .selectFrom('node_permissions')
      .selectAll()
      .orderBy('node_kind')
      .orderBy('node_id')
      .execute()
    const tree = await loadTree(transaction, EMPTY_TREE, 0)
    const groupName = await readNames(transaction, 'user_groups')
    const userName = await readNames(transaction, 'users')
    return rows.flatMap((row) => {
      const levels = levelsOf(tree, viewer, row.node_kind, row.node_id)
      if (levels === undefined || levels[0] === SYSTEM_FOLDER) return []
      const given: ObjectArguments = {
        path: printPath(levels),
        type: row.node_kind,
        viewGroups: printList(readIdList(row.view_groups).flatMap((id) => groupName.get(id) ?? [])),
        viewUsers: printList(readIdList(row.view_users).flatMap((id) => userName.get(id) ?? [])),
      }
      return [{ name: permission.nameOf(given), arguments: given }]
    })
  },
  removal: {
    command: 'setPermissions',
    arguments: (name) => ({ ...readName(name), inherit: 'true' }),
  },
}

function readName(name: string): { type: NodeKind; path: string } {
  const type = name.startsWith('log.') ? 'log' : 'folder'
  return { type, path: name.startsWith(`${type}.`) ? name.slice(type.length + 1) : name }
}

/** undefined: not there, or not the caller's to view. */
function levelsOf(
  tree: IndexedTree,
  viewer: ObjectViewer,
  kind: NodeKind,
  id: number,
): readonly string[] | undefined {
  if (kind === 'folder' && id === ROOT_FOLDER_ID) return []
  const visible = kind === 'folder' ? viewer.folders : viewer.logs
  if (visible !== 'all' && !visible.has(id)) return undefined
  if (kind === 'folder') return tree.folders.has(id) ? tree.folderLevels.get(id) : undefined
  const log = tree.logs.get(id)
  return log === undefined ? undefined : [...log.folder, log.name]
}

/** By id; a removed user has none. */
async function readNames(
  transaction: DatabaseTransaction,
  table: 'user_groups' | 'users',
): Promise<ReadonlyMap<number, string>> {
  const rows =
    table === 'users'
      ? await transaction
          .selectFrom('users')
          .select(['id', 'name'])
          .where('removed_ms', 'is', null)
          .execute()
      : await transaction.selectFrom('user_groups').select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
