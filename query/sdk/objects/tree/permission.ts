// Who may view and edit a folder or a log, where it sets a list of its own; named like a scope of
// the search language: folder.Web->Edge, log.Web->Edge->access.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { readIdList } from '../../../../infra/metastore/json-list.ts'
import {
  EMPTY_TREE,
  type IndexedTree,
  loadTree,
  ROOT_FOLDER_ID,
} from '../../../../infra/metastore/tree/tree-cache.ts'
import { printFolder, SYSTEM_FOLDER } from '../../../../schemas/names/log-path.ts'
import { pathValue } from '../../../../schemas/sdk/values.ts'
import type { ObjectArguments, ObjectKind, ObjectViewer } from '../object-kind.ts'
import { printList } from '../print-values.ts'

type NodeKind = 'folder' | 'log'

export const permission: ObjectKind = {
  type: 'permission',
  command: 'setPermissions',
  change: {},
  isCaseSensitive: true,
  nameOf: ({ type = '', path = '' }) => `${type}.${printFolder(pathValue.parse(path))}`,
  rename: (given, newName) => ({ ...given, ...readName(newName) }),
  needs: ({ type, path = '' }) => {
    const levels = pathValue.parse(path)
    if (levels.length === 0) return []
    return [{ type: type === 'log' ? 'log' : 'folder', name: printFolder(levels) }]
  },
  readAll: async (transaction, viewer) => {
    const rows = await readLists(transaction)
    const tree = await loadTree(transaction, EMPTY_TREE, 0)
    const groupName = await readNames(transaction, 'user_groups')
    const userName = await readNames(transaction, 'users')
    return rows.flatMap((row) => {
      const levels = levelsOf(tree, viewer, row.node_kind, row.node_id)
      if (levels === undefined || levels[0] === SYSTEM_FOLDER) return []
      const given: ObjectArguments = {
        path: printFolder(levels),
        type: row.node_kind,
        ...describeLists(row, { groupName, userName }),
      }
      return [{ name: permission.nameOf(given), arguments: given }]
    })
  },
  removal: {
    command: 'setPermissions',
    arguments: (name) => ({ ...readName(name), inherit: 'true' }),
  },
}

type Lists = {
  readonly node_kind: NodeKind
  readonly node_id: number
  readonly view_groups: string | null
  readonly view_users: string | null
  readonly edit_groups: string | null
  readonly edit_users: string | null
}

/** Null where the node has the list of its parent. */
async function readLists(transaction: DatabaseTransaction): Promise<readonly Lists[]> {
  const viewers = await transaction.selectFrom('node_permissions').selectAll().execute()
  const editors = await transaction.selectFrom('node_editors').selectAll().execute()
  const none = { view_groups: null, view_users: null, edit_groups: null, edit_users: null }
  const found = new Map<string, Lists>()
  for (const row of [...viewers, ...editors]) {
    const key = `${row.node_kind} ${row.node_id}`
    found.set(key, { ...none, ...found.get(key), ...row })
  }
  const kinds = (one: Lists, other: Lists) => one.node_kind.localeCompare(other.node_kind)
  return [...found.values()].sort((a, b) => kinds(a, b) || a.node_id - b.node_id)
}

type Names = ReadonlyMap<number, string>

/** The list that it has not is taken from the parent by name, or a change would leave the one that
 *  is there. */
function describeLists(
  { view_groups, view_users, edit_groups, edit_users }: Lists,
  { groupName, userName }: { groupName: Names; userName: Names },
): ObjectArguments {
  const print = (list: string | null, names: Names) =>
    printList(readIdList(list ?? '[]').flatMap((id) => names.get(id) ?? []))
  const view = {
    viewGroups: print(view_groups, groupName),
    viewUsers: print(view_users, userName),
  }
  const edit = {
    editGroups: print(edit_groups, groupName),
    editUsers: print(edit_users, userName),
  }
  if (edit_groups === null) return { ...view, inherit: 'edit' }
  return view_groups === null ? { ...edit, inherit: 'view' } : { ...view, ...edit }
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
