// Who may view which log and edit which node (decision 7.1): rights pass down from parent to child
// unless a node sets its own; the root that sets nothing lets everyone. Pure: tree and permissions
// in, ids out.
import { type GuardedLog, guardedLogOf } from '../../../schemas/names/guarded-logs.ts'
import type { FolderRecord, LogRecord, Tree } from '../tree/port.ts'

export type Viewers = { readonly groups: ReadonlySet<number>; readonly users: ReadonlySet<number> }

/** Nodes that set their own list, by id; folder 0 is the root. */
export type NodePermissions = {
  readonly folders: ReadonlyMap<number, Viewers>
  readonly logs: ReadonlyMap<number, Viewers>
}

export type Viewer = {
  readonly userId: number
  readonly groups: ReadonlySet<number>
  /** Of these logs this says it, and no list. */
  readonly opened: ReadonlySet<GuardedLog>
}

const ROOT = 0

/** Logs that the viewer may see; administrators are not asked about. */
export function visibleLogs(tree: Tree, permissions: NodePermissions, viewer: Viewer): Set<number> {
  const { isLogListed } = makeListTest(tree, permissions, viewer)
  const visible = new Set<number>()
  for (const log of tree.logs.values()) if (isLogListed(log)) visible.add(log.id)
  return visible
}

/** Folders that the viewer may see, and those above what he may see. */
export function visibleFolders(
  tree: Tree,
  permissions: NodePermissions,
  viewer: Viewer,
): Set<number> {
  const { isFolderListed, isLogListed } = makeListTest(tree, permissions, viewer)
  const visible = new Set<number>()
  const addWithAbove = (from: number | null) => {
    for (
      let id = from;
      id !== null && !visible.has(id);
      id = tree.folders.get(id)?.parentId ?? null
    )
      visible.add(id)
  }
  for (const { id } of tree.folders.values()) if (isFolderListed(id)) addWithAbove(id)
  for (const log of tree.logs.values()) if (isLogListed(log)) addWithAbove(log.folderId)
  visible.delete(ROOT)
  return visible
}

export type ListedLog = Pick<LogRecord, 'id' | 'folderId' | 'folder' | 'name'>

export type ListedTree = {
  readonly folders: ReadonlyMap<number, Pick<FolderRecord, 'parentId'>>
}

/** Whether the list in force at a folder or log, its own or that of the nearest one above, names
 *  the viewer. */
export function makeListTest(tree: ListedTree, permissions: NodePermissions, viewer: Viewer) {
  const ofFolder = new Map<number, boolean>()
  const rootViewers = permissions.folders.get(ROOT)
  ofFolder.set(ROOT, rootViewers === undefined || isViewer(rootViewers, viewer))

  const isFolderListed = (id: number): boolean => {
    const known = ofFolder.get(id)
    if (known !== undefined) return known
    const own = permissions.folders.get(id)
    const may =
      own === undefined
        ? isFolderListed(tree.folders.get(id)?.parentId ?? ROOT)
        : isViewer(own, viewer)
    ofFolder.set(id, may)
    return may
  }
  const isLogListed = (log: ListedLog): boolean => {
    const guarded = guardedLogOf(log)
    if (guarded !== undefined) return viewer.opened.has(guarded)
    const own = permissions.logs.get(log.id)
    return own === undefined ? isFolderListed(log.folderId) : isViewer(own, viewer)
  }
  return { isFolderListed, isLogListed }
}

function isViewer(viewers: Viewers, viewer: Viewer): boolean {
  if (viewers.users.has(viewer.userId)) return true
  for (const group of viewer.groups) if (viewers.groups.has(group)) return true
  return false
}
