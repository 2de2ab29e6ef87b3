// Whether a name may be given to somebody new. Names that exist stay as they are, whatever they look like.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { refuseCharacters, skeletonOf } from '../../../schemas/names/name-look.ts'
import { ADMIN_USER_NAME, ANONYMOUS_USER } from '../../../schemas/users.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'

type Kind = 'user' | 'account'

/** Who acts without being a user, in audit lines above all. */
const RESERVED = [ANONYMOUS_USER.name, 'system', 'logeye', 'everyone'].map(skeletonOf)

/** Fails with object.invalid (characters, reserved), object.looks_alike (another user, or admin). */
export async function requireNewUserName(
  transaction: Transaction<Tables>,
  name: string,
): Promise<void> {
  requireCharacters('user', name)
  const look = skeletonOf(foldName(name))
  if (RESERVED.includes(look)) throw invalidName('user', name, 'this name is reserved')
  const users = await transaction
    .selectFrom('users')
    .select(['name', 'name_folded'])
    .where('removed_ms', 'is', null)
    .execute()
  // Where there is no such user, somebody may be it, but nobody may look like it.
  const admin = { name: ADMIN_USER_NAME, name_folded: ADMIN_USER_NAME }
  refuseAlike('user', name, [...users, admin])
}

/** Fails with object.invalid, object.looks_alike. */
export async function requireNewAccountName(
  transaction: Transaction<Tables>,
  name: string,
): Promise<void> {
  requireCharacters('account', name)
  const accounts = transaction.selectFrom('listener_accounts').select(['name', 'name_folded'])
  refuseAlike('account', name, await accounts.where('removed_ms', 'is', null).execute())
}

function requireCharacters(kind: Kind, name: string): void {
  const reason = refuseCharacters(name)
  if (reason !== undefined) throw invalidName(kind, name, reason)
}

function invalidName(kind: Kind, name: string, reason: string): Failure {
  return new Failure('object.invalid', { kind, property: 'name', value: name, reason })
}

/** Of the same name is another matter: the caller's to answer. */
function refuseAlike(
  kind: Kind,
  name: string,
  others: readonly { readonly name: string; readonly name_folded: string }[],
): void {
  const folded = foldName(name)
  const look = skeletonOf(folded)
  const alike = others.find(
    (it) => it.name_folded !== folded && skeletonOf(it.name_folded) === look,
  )
  if (alike !== undefined)
    throw new Failure('object.looks_alike', { kind, name: alike.name, given: name })
}
