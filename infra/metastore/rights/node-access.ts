// What one user may view and edit of the tree, node by node. Seeing is required for editing
// (docs/decisions/0044). Pure.
import type { SecurityState } from './security-state.ts'
import { type ListedLog, type ListedTree, makeListTest, type Viewer } from './visible-logs.ts'

export type NodeId = { readonly kind: 'folder' | 'log'; readonly id: number }

export type AccessTree = ListedTree & { readonly logs: ReadonlyMap<number, ListedLog> }

export type NodeAccess = {
  /** Itself, not only as the way to what lies below. */
  mayView(node: NodeId): boolean
  mayEdit(node: NodeId): boolean
}

export const FULL_ACCESS: NodeAccess = { mayView: () => true, mayEdit: () => true }
export const NO_ACCESS: NodeAccess = { mayView: () => false, mayEdit: () => false }

/** For who is no administrator. */
export function makeNodeAccess(
  tree: AccessTree,
  { permissions, editors }: Pick<SecurityState, 'permissions' | 'editors'>,
  viewer: Viewer,
): NodeAccess {
  const views = makeListTest(tree, permissions, viewer)
  const edits = makeListTest(tree, editors, viewer)
  const test = (lists: typeof views, { kind, id }: NodeId): boolean => {
    if (kind === 'folder') return lists.isFolderListed(id)
    const log = tree.logs.get(id)
    return log !== undefined && lists.isLogListed(log)
  }
  const mayView = (node: NodeId) => test(views, node)
  return { mayView, mayEdit: (node) => mayView(node) && test(edits, node) }
}
