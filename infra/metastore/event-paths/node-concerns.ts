// What somebody must view who acts on all events of a folder or a log: a folder counts with all
// below it, removed logs too, not as one that leads to something visible.
import type { NodeId } from '../rights/node-access.ts'
import { ROOT_FOLDER_ID } from '../tree/tree-cache.ts'
import type { EventNodes } from './event-nodes.ts'
import { belowFolder } from './listener-paths.ts'
import type { Concern } from './port.ts'

export function concernsOfNode(node: NodeId, { folders }: EventNodes): readonly Concern[] {
  if (node.kind === 'log') return [{ kind: 'node', node, asks: 'view' }]
  if (node.id === ROOT_FOLDER_ID) return [belowFolder([], 'view')]
  const folder = folders.get(node.id)
  return folder === undefined ? [{ kind: 'administrator' }] : [belowFolder(folder.levels, 'view')]
}

/** Of all nodes at a path: a folder and a log may share it. Empty if there is none. */
export function concernsOfPath(levels: readonly string[], nodes: EventNodes): readonly Concern[] {
  return findNodes(levels, nodes).flatMap((node) => concernsOfNode(node, nodes))
}

function findNodes(levels: readonly string[], { foldersIn, logsIn }: EventNodes): NodeId[] {
  const name = levels.at(-1)
  if (name === undefined) return [{ kind: 'folder', id: ROOT_FOLDER_ID }]
  let above = ROOT_FOLDER_ID
  for (const level of levels.slice(0, -1)) {
    const folder = foldersIn.get(above)?.find((one) => one.levels.at(-1) === level)
    if (folder === undefined) return []
    above = folder.id
  }
  const folders = (foldersIn.get(above) ?? []).filter((one) => one.levels.at(-1) === name)
  const logs = (logsIn.get(above) ?? []).filter((one) => one.name === name)
  return [
    ...folders.map(({ id }): NodeId => ({ kind: 'folder', id })),
    ...logs.map(({ id }): NodeId => ({ kind: 'log', id })),
  ]
}
