// Folders that an operator makes and changes, inside the caller's write transaction.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { findChildFolder, requireFolder } from './find-node.ts'

export type FolderPlace = { readonly parent: readonly string[]; readonly name: string }

/** Gives its id; one that was removed is there again under the id it had. Fails with
 *  object.not_found (parent), object.exists. */
export async function addFolder(
  transaction: Transaction<Tables>,
  { parent, name }: FolderPlace,
  description: string,
): Promise<number> {
  const parentId = await requireFolder(transaction, parent)
  const known = await findChildFolder(transaction, parentId, name)
  if (known?.removed_ms === null)
    throw new Failure('object.exists', {
      kind: 'folder',
      name: [...parent, name].join(LEVEL_SEPARATOR),
    })
  const changed = await raiseVersion(transaction, 'tree')
  const facts = { description, changed, removed_ms: null, is_declared: 1 } as const
  if (known !== undefined) {
    await transaction.updateTable('folders').set(facts).where('id', '=', known.id).execute()
    return known.id
  }
  const id = await takeIds(transaction, 'folder', 1)
  const row = { id, parent_id: parentId, name, ...facts }
  await transaction.insertInto('folders').values(row).execute()
  return id
}

/** What is undefined stays. Fails with object.not_found. */
export async function changeFolder(
  transaction: Transaction<Tables>,
  { parent, name }: FolderPlace,
  description: string | undefined,
): Promise<number> {
  const id = await requireFolder(transaction, [...parent, name])
  const changed = await raiseVersion(transaction, 'tree')
  const said = description === undefined ? {} : { description }
  const facts = { ...said, changed, is_declared: 1 } as const
  await transaction.updateTable('folders').set(facts).where('id', '=', id).execute()
  return id
}
