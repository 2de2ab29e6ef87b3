// The objects that there are, by type and name.
import { foldName } from '../../../infra/database/fold-name.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { ObjectType } from '../../../schemas/object-types.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { DescribedObject, ObjectRef, ObjectViewer } from '../objects/object-kind.ts'

export type ObjectState = ReadonlyMap<ObjectType, ReadonlyMap<string, DescribedObject>>

export const EVERYTHING: ObjectViewer = { folders: 'all', logs: 'all' }

export async function readState(
  transaction: DatabaseTransaction,
  types: Iterable<ObjectType>,
  viewer: ObjectViewer,
): Promise<ObjectState> {
  const state = new Map<ObjectType, ReadonlyMap<string, DescribedObject>>()
  for (const type of types) {
    const all = await OBJECT_KINDS[type].readAll(transaction, viewer)
    state.set(type, new Map(all.map((object) => [keyOf({ type, name: object.name }), object])))
  }
  return state
}

export function findObject(state: ObjectState, ref: ObjectRef): DescribedObject | undefined {
  return state.get(ref.type)?.get(keyOf(ref))
}

/** Two names of one object have one key. */
export function keyOf({ type, name }: ObjectRef): string {
  return OBJECT_KINDS[type].isCaseSensitive === true ? name : foldName(name)
}

/** Unique over all types. */
export function refKey(ref: ObjectRef): string {
  return `${ref.type} ${keyOf(ref)}`
}
