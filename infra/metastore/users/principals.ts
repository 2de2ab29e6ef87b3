// Users and groups in one list, as members and administrators of a group are given: `ann`,
// `user:ann`, `group:ops`. Inside the caller's transaction.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { Tables } from '../../database/tables.ts'
import { invalidName } from '../new-names.ts'
import { findGroup } from './find-group.ts'
import { findUser } from './find-user.ts'

export type Principal = { readonly kind: 'user' | 'group'; readonly id: number }

const GIVEN = /^(?:(user|group)\s*:)?(.*)$/su

/** Without repeats. Fails with object.not_found, object.invalid (a user and a group). */
export async function requirePrincipals(
  transaction: Transaction<Tables>,
  given: readonly string[],
): Promise<Principal[]> {
  const found = new Map<string, Principal>()
  for (const text of given) {
    const principal = await requirePrincipal(transaction, text)
    found.set(`${principal.kind}:${principal.id}`, principal)
  }
  return [...found.values()]
}

async function requirePrincipal(
  transaction: Transaction<Tables>,
  text: string,
): Promise<Principal> {
  const [, kind, rest = ''] = GIVEN.exec(text) ?? []
  const name = rest.trim()
  const user = kind === 'group' ? undefined : await findUser(transaction, name)
  const group = kind === 'user' ? undefined : await findGroup(transaction, name)
  if (user !== undefined && group !== undefined)
    throw invalidName('group', name, `write user:${name} or group:${name}: there are both`)
  if (user !== undefined) return { kind: 'user', id: user.id }
  if (group !== undefined) return { kind: 'group', id: group.id }
  throw new Failure('object.not_found', { kind: kind ?? 'user or group', name })
}
