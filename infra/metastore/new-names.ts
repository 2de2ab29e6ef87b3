// What holds for a new name of any kind. Names that exist stay as they are.
import { Failure } from '../../schemas/failures.ts'
import { refuseCharacters, skeletonOf } from '../../schemas/names/name-look.ts'
import { foldName } from '../database/fold-name.ts'

type Kind =
  | 'user'
  | 'group'
  | 'policy'
  | 'account'
  | 'collection policy'
  | 'app tag'
  | 'template'
  | 'task'
  | 'app'
  | 'dashboard'
  | 'saved search'
  | 'monitor'
  | 'maintenance window'
  | 'report'

/** The caller may not know of the other one. */
const HIDDEN: readonly Kind[] = [
  'account',
  'app tag',
  'task',
  'app',
  'dashboard',
  'monitor',
  'maintenance window',
  'report',
]

/** Fails with object.invalid. */
export function requireNameCharacters(kind: Kind, name: string): void {
  const reason = refuseCharacters(name)
  if (reason !== undefined) throw invalidName(kind, name, reason)
}

export function invalidName(kind: Kind, name: string, reason: string): Failure {
  return new Failure('object.invalid', { kind, property: 'name', value: name, reason })
}

/** Fails with object.looks_alike, object.looks_like_another. Whether one has the same name, the
 *  caller has asked. */
export function refuseAlike(
  kind: Kind,
  name: string,
  others: readonly { readonly name: string; readonly name_folded: string }[],
): void {
  const folded = foldName(name)
  const look = skeletonOf(folded)
  const alike = others.find(
    (it) => it.name_folded !== folded && skeletonOf(it.name_folded) === look,
  )
  if (alike === undefined) return
  if (HIDDEN.includes(kind)) throw new Failure('object.looks_like_another', { kind, given: name })
  throw new Failure('object.looks_alike', { kind, name: alike.name, given: name })
}
