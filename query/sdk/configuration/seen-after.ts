// What the caller may be told of once the objects of a file are made: what he could view before,
// and the folders and logs that came since in the same transaction, which only his commands make.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { ObjectViewer } from '../objects/object-kind.ts'

export type NodeIds = { readonly folders: ReadonlySet<number>; readonly logs: ReadonlySet<number> }

/** Of the folders and logs that are there. */
export async function readNodeIds(transaction: DatabaseTransaction): Promise<NodeIds> {
  const read = async (table: 'folders' | 'logs') => {
    const present = transaction.selectFrom(table).select('id').where('removed_ms', 'is', null)
    return new Set((await present.execute()).map(({ id }) => id))
  }
  return { folders: await read('folders'), logs: await read('logs') }
}

export function seenAfter(viewer: ObjectViewer, before: NodeIds, after: NodeIds): ObjectViewer {
  const seen = (kind: keyof NodeIds) => {
    const visible = viewer[kind]
    if (visible === 'all') return visible
    return new Set([...visible, ...[...after[kind]].filter((id) => !before[kind].has(id))])
  }
  return { ...viewer, folders: seen('folders'), logs: seen('logs') }
}
