// Who may edit a folder or log (docs/decisions/0044): the operation says that he may change the
// tree, the lists say where. What he may not view does not exist for him.
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Reader } from '../../../infra/metastore/rights/port.ts'
import { type NodePlace, nameOf } from '../../../infra/metastore/tree/find-node.ts'
import { Failure } from '../../../schemas/failures.ts'
import { ROOT_NAME } from '../../../schemas/names/log-path.ts'
import { idOf, requireVisibleNode } from './require-visible-node.ts'

/** Of what is not there, the nearest folder above is asked about. Fails with object.not_found (may
 *  not be viewed; names what was asked about, never the folder above), rights.not_editable. */
export async function requireEditableNode(
  metastore: OpenedMetastore,
  reader: Reader,
  place: NodePlace,
  asked = place,
): Promise<void> {
  const tree = await metastore.tree()
  const id = idOf(tree, place)
  if (id === undefined)
    return await requireEditableNode(
      metastore,
      reader,
      { kind: 'folder', levels: place.levels.slice(0, -1) },
      asked,
    )
  await requireVisibleNode(metastore, reader, place, asked)
  const { kind } = place
  if ((await metastore.nodeAccess(reader)).mayEdit({ kind, id })) return
  const name = place.levels.length === 0 ? ROOT_NAME : nameOf(place)
  throw new Failure('rights.not_editable', { kind, name })
}

/** Fails with rights.missing where something in the folder is not the caller's to edit: what is
 *  done with the folder would be done with that, too. Names nothing: he may not know of it. */
export async function requireEditableBelow(
  metastore: OpenedMetastore,
  reader: Reader,
  levels: readonly string[],
): Promise<void> {
  const access = await metastore.nodeAccess(reader)
  const tree = await metastore.tree()
  const topId = idOf(tree, { kind: 'folder', levels })
  if (topId === undefined) return
  const isBelow = (id: number | null): boolean =>
    id !== null && (id === topId || isBelow(tree.folders.get(id)?.parentId ?? null))
  const folders = [...tree.folders.values()].filter(({ id }) => isBelow(id))
  const logs = [...tree.logs.values()].filter(({ folderId }) => isBelow(folderId))
  const isAllHis =
    folders.every(({ id }) => access.mayEdit({ kind: 'folder', id })) &&
    logs.every(({ id }) => access.mayEdit({ kind: 'log', id }))
  if (!isAllHis) throw new Failure('rights.missing')
}
