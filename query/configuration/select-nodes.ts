// Which folders and logs a user sees, and those of them that a sourceQuery selects.
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import type { Reader } from '../../infra/metastore/rights/port.ts'
import type { FolderRecord, LogRecord, Tree } from '../../infra/metastore/tree/port.ts'
import { logsOfScope, selectsLog } from '../language/resolve/select-logs.ts'
import type { Scope } from '../language/tree.ts'

export async function readVisibleLogs(
  metastore: OpenedMetastore,
  reader: Reader,
  scope?: Scope,
): Promise<readonly LogRecord[]> {
  const [{ logs }, visible] = await Promise.all([metastore.tree(), metastore.visibleLogs(reader)])
  return selectLogs(
    [...logs.values()].filter(({ id }) => visible === 'all' || visible.has(id)),
    scope,
  )
}

export async function readVisibleNodes(
  metastore: OpenedMetastore,
  reader: Reader,
  scope: Scope | undefined,
): Promise<{ folders: readonly FolderRecord[]; logs: readonly LogRecord[] }> {
  const logs = await readVisibleLogs(metastore, reader, scope)
  const [tree, visible] = await Promise.all([metastore.tree(), metastore.visibleFolders(reader)])
  const folders = [...tree.folders.values()].filter(
    ({ id }) => visible === 'all' || visible.has(id),
  )
  if (scope === undefined) return { folders, logs }
  const wanted = new Set<number>()
  const addWithAbove = (from: number | null | undefined) => {
    for (let id = from ?? null; id !== null && !wanted.has(id); id = parentOf(tree, id))
      wanted.add(id)
  }
  for (const { folderId } of logs) addWithAbove(folderId)
  for (const { id } of folders) if (selectsFolder(scope, levelsOf(tree, id))) addWithAbove(id)
  return { folders: folders.filter(({ id }) => wanted.has(id)), logs }
}

function selectLogs(logs: readonly LogRecord[], scope: Scope | undefined): readonly LogRecord[] {
  if (scope === undefined) return logs
  const selected = new Set(logsOfScope(scope, logs).map(({ id }) => id))
  return logs.filter(({ id }) => selected.has(id))
}

/** Also one in which no log lies. */
function selectsFolder({ include }: Scope, folder: readonly string[]): boolean {
  const nothing = { id: 0, name: '', folder, appTags: [], typeWords: [] }
  return include.some(
    (item) =>
      (item.kind === 'scopeEverything' || item.of === 'folder') && selectsLog(item, nothing),
  )
}

function levelsOf(tree: Tree, id: number): string[] {
  const levels: string[] = []
  for (let at = tree.folders.get(id); at !== undefined; at = tree.folders.get(at.parentId ?? 0))
    levels.unshift(at.name)
  return levels
}

function parentOf(tree: Tree, id: number): number | null {
  return tree.folders.get(id)?.parentId ?? null
}
