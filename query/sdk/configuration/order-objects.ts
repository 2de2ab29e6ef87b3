// The order in which objects are made: by type, and what an object needs before it.
import { OBJECT_TYPES } from '../../../schemas/object-types.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { ObjectArguments, ObjectRef } from '../objects/object-kind.ts'
import { findObject, type ObjectState, refKey } from './object-state.ts'

type Ordered = ObjectRef & { readonly given: ObjectArguments }

/** A circle of needs is cut somewhere: the command says what is missing. */
export function orderObjects<T extends Ordered>(objects: readonly T[]): readonly T[] {
  const byKey = new Map(objects.map((object) => [refKey(object), object]))
  const done = new Set<string>()
  const ordered: T[] = []
  const add = (object: T) => {
    const key = refKey(object)
    if (done.has(key)) return
    done.add(key)
    for (const need of needsOf(object)) {
      const needed = byKey.get(refKey(need))
      if (needed !== undefined) add(needed)
    }
    ordered.push(object)
  }
  for (const type of OBJECT_TYPES)
    for (const object of objects) if (object.type === type) add(object)
  return ordered
}

/** Keys of everything that these need, and that what they need needs. */
export function findNeeded(objects: readonly Ordered[], state: ObjectState): ReadonlySet<string> {
  const needed = new Set<string>()
  const open: Ordered[] = [...objects]
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    for (const need of needsOf(object)) {
      const key = refKey(need)
      if (needed.has(key)) continue
      needed.add(key)
      const found = findObject(state, need)
      if (found !== undefined) open.push({ ...need, given: found.arguments })
    }
  }
  return needed
}

function needsOf({ type, given }: Ordered): readonly ObjectRef[] {
  return OBJECT_KINDS[type].needs?.(given) ?? []
}
