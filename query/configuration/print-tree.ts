// The tree of folders and logs as folders-and-logs-configuration answers it (decision 5.4). Pure.
import type { FolderRecord, LogRecord } from '../../infra/metastore/tree/port.ts'
import { ROOT_NAME } from '../../schemas/names/log-path.ts'
import type { TreeNode } from '../../schemas/public-calls/configuration.ts'
import { compareText } from './compare-text.ts'

/** Folders without their parent among these are left out, and logs likewise. */
export function printTree(folders: Iterable<FolderRecord>, logs: Iterable<LogRecord>): TreeNode {
  const foldersIn = new Map<number | null, FolderRecord[]>()
  const logsIn = new Map<number, LogRecord[]>()
  for (const folder of folders) put(foldersIn, folder.parentId, folder)
  for (const log of logs) put(logsIn, log.folderId, log)
  const childrenOf = (id: number | null): TreeNode[] => [
    ...byName(foldersIn.get(id)).map((folder) => {
      const children = childrenOf(folder.id)
      return printNode({ ...folder, id: `f${folder.id}` }, 'Module', children)
    }),
    // 0 is the root, in which a log may lie.
    ...byName(logsIn.get(id ?? 0)).map((log) => printNode({ ...log, id: `l${log.id}` }, 'Log', [])),
  ]
  const root = { id: 'root', name: ROOT_NAME, description: '' }
  return printNode(root, 'Module', childrenOf(null))
}

function printNode(
  { id, name, description }: Pick<TreeNode, 'id' | 'name' | 'description'>,
  type: TreeNode['type'],
  children: readonly TreeNode[],
): TreeNode {
  return { id, name, description, type, hasChildrens: children.length > 0, children }
}

function put<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function byName<T extends { readonly name: string }>(nodes: readonly T[] = []): T[] {
  return [...nodes].sort((left, right) => compareText(left.name, right.name))
}
