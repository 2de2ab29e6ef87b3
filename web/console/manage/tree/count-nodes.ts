// The tree with the events of each log, and of each folder the sum of its logs. Pure.
import type { TreeNode } from '../../../shared/api/tree.ts'

export type CountedNode = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly type: 'folder' | 'log'
  /** Levels with -> between them. */
  readonly path: string
  /** Undefined: not known yet. */
  readonly events: number | undefined
  readonly children: readonly CountedNode[]
}

/** What lies in the root. `counts`: events by path of a log. */
export function countNodes(
  root: TreeNode,
  counts: ReadonlyMap<string, number> | undefined,
): CountedNode[] {
  const count = (node: TreeNode, levels: readonly string[]): CountedNode => {
    const path = [...levels, node.name]
    const children = node.children.map((child) => count(child, path))
    const isLog = node.type === 'Log'
    const name = path.join('->')
    const events = counts && (isLog ? (counts.get(name) ?? 0) : sum(children))
    return {
      ...{ id: node.id, name: node.name, description: node.description, path: name },
      ...{ type: isLog ? 'log' : 'folder', events, children },
    }
  }
  return root.children.map((node) => count(node, []))
}

/** Those whose path holds the text, with the folders that they lie in. */
export function findNodes(nodes: readonly CountedNode[], text: string): CountedNode[] {
  const wanted = text.trim().toLowerCase()
  return nodes.flatMap((node) => {
    if (node.path.toLowerCase().includes(wanted)) return [node]
    const children = findNodes(node.children, text)
    return children.length === 0 ? [] : [{ ...node, children }]
  })
}

function sum(nodes: readonly CountedNode[]): number {
  return nodes.reduce((all, { events = 0 }) => all + events, 0)
}
