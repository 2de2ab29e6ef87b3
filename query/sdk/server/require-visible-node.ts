// What a user may not view does not exist for him, also when he may change folders and logs
// (decision 4.9).
import { foldName } from '../../../infra/database/fold-name.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Reader } from '../../../infra/metastore/rights/port.ts'
import { readTags } from '../../../infra/metastore/tags/tag-state.ts'
import { type NodePlace, nameOf } from '../../../infra/metastore/tree/find-node.ts'
import type { Tree } from '../../../infra/metastore/tree/port.ts'
import { ROOT_FOLDER_ID } from '../../../infra/metastore/tree/tree-cache.ts'
import { Failure } from '../../../schemas/failures.ts'

/** Fails with object.not_found, of what was asked about. What is not there at all, the caller finds
 *  out. */
export async function requireVisibleNode(
  metastore: OpenedMetastore,
  reader: Reader,
  place: NodePlace,
  asked = place,
): Promise<void> {
  const { kind, levels } = place
  const visible =
    kind === 'log' ? await metastore.visibleLogs(reader) : await metastore.visibleFolders(reader)
  if (visible === 'all' || levels.length === 0) return
  const id = idOf(await metastore.tree(), place)
  if (id !== undefined && !visible.has(id))
    throw new Failure('object.not_found', { kind: asked.kind, name: nameOf(asked) })
}

/** A tag is hidden with its logs; one without logs hides nothing, one with a source query is hidden
 *  from nobody (query/sdk/objects/app-tag.ts). */
export async function requireVisibleTag(
  metastore: OpenedMetastore,
  reader: Reader,
  name: string,
): Promise<void> {
  const visible = await metastore.visibleLogs(reader)
  if (visible === 'all') return
  const folded = foldName(name)
  const tags = await readTags(metastore.database.read)
  const known = tags.find((tag) => foldName(tag.name) === folded)
  if (known !== undefined && known.tag.sourceQuery !== '') return
  const { logs } = await metastore.tree()
  const members = [...logs.values()].filter(({ appTags }) =>
    appTags.some((tag) => foldName(tag) === folded),
  )
  if (members.length > 0 && !members.some(({ id }) => visible.has(id)))
    throw new Failure('object.not_found', { kind: 'app tag', name })
}

/** Undefined where there is none; the root is folder 0. */
export function idOf({ folders, logsByPath }: Tree, place: NodePlace): number | undefined {
  if (place.kind === 'log') return logsByPath.get(nameOf(place))?.id
  if (place.levels.length === 0) return ROOT_FOLDER_ID
  let parentId: number | null = null
  for (const level of place.levels) {
    const found = [...folders.values()].find(
      (folder) => folder.name === level && folder.parentId === parentId,
    )
    if (found === undefined) return undefined
    parentId = found.id
  }
  return parentId ?? undefined
}
