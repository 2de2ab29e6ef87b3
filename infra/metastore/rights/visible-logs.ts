// Who may view which log (decision 7.1): rights pass down from parent to child unless a node sets
// its own; the root that sets nothing lets everyone view. Pure: tree and permissions in, ids out.
import type { LogRecord, Tree } from '../tree/port.ts'

export type Viewers = { readonly groups: ReadonlySet<number>; readonly users: ReadonlySet<number> }

/** Nodes that set their own list, by id; folder 0 is the root. */
export type NodePermissions = {
  readonly folders: ReadonlyMap<number, Viewers>
  readonly logs: ReadonlyMap<number, Viewers>
}

export type Viewer = { readonly userId: number; readonly groups: ReadonlySet<number> }

const ROOT = 0

/** Logs that the viewer may see; administrators are not asked about. */
export function visibleLogs(tree: Tree, permissions: NodePermissions, viewer: Viewer): Set<number> {
  const { mayViewLog } = makeViewTest(tree, permissions, viewer)
  const visible = new Set<number>()
  for (const log of tree.logs.values()) if (mayViewLog(log)) visible.add(log.id)
  return visible
}

/** Folders that the viewer may see, and those above what he may see. */
export function visibleFolders(
  tree: Tree,
  permissions: NodePermissions,
  viewer: Viewer,
): Set<number> {
  const { mayViewFolder, mayViewLog } = makeViewTest(tree, permissions, viewer)
  const visible = new Set<number>()
  const addWithAbove = (from: number | null) => {
    for (
      let id = from;
      id !== null && !visible.has(id);
      id = tree.folders.get(id)?.parentId ?? null
    )
      visible.add(id)
  }
  for (const { id } of tree.folders.values()) if (mayViewFolder(id)) addWithAbove(id)
  for (const log of tree.logs.values()) if (mayViewLog(log)) addWithAbove(log.folderId)
  visible.delete(ROOT)
  return visible
}

function makeViewTest(tree: Tree, permissions: NodePermissions, viewer: Viewer) {
  const ofFolder = new Map<number, boolean>()
  const rootViewers = permissions.folders.get(ROOT)
  ofFolder.set(ROOT, rootViewers === undefined || isViewer(rootViewers, viewer))

  const mayViewFolder = (id: number): boolean => {
    const known = ofFolder.get(id)
    if (known !== undefined) return known
    const own = permissions.folders.get(id)
    const may =
      own === undefined
        ? mayViewFolder(tree.folders.get(id)?.parentId ?? ROOT)
        : isViewer(own, viewer)
    ofFolder.set(id, may)
    return may
  }
  const mayViewLog = (log: LogRecord): boolean => {
    const own = permissions.logs.get(log.id)
    return own === undefined ? mayViewFolder(log.folderId) : isViewer(own, viewer)
  }
  return { mayViewFolder, mayViewLog }
}

function isViewer(viewers: Viewers, viewer: Viewer): boolean {
  if (viewers.users.has(viewer.userId)) return true
  for (const group of viewer.groups) if (viewers.groups.has(group)) return true
  return false
}
