// Whether a name may be given to a new user (docs/decisions/0024).
import type { Transaction } from 'kysely'
import { skeletonOf } from '../../../schemas/names/name-look.ts'
import { ADMIN_USER_NAME, ANONYMOUS_USER } from '../../../schemas/users.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { invalidName, refuseAlike, requireNameCharacters } from '../new-names.ts'

/** They act without being users, in audit lines above all. */
const RESERVED = [ANONYMOUS_USER.name, 'system', 'logeye', 'everyone'].map(skeletonOf)

/** Fails with object.invalid (characters, reserved), object.looks_alike (another user, or
 *  admin). */
export async function requireNewUserName(
  transaction: Transaction<Tables>,
  name: string,
): Promise<void> {
  requireNameCharacters('user', name)
  if (RESERVED.includes(skeletonOf(foldName(name))))
    throw invalidName('user', name, 'this name is reserved')
  const users = await transaction
    .selectFrom('users')
    .select(['name', 'name_folded'])
    .where('removed_ms', 'is', null)
    .execute()
  // Where there is no user admin, one may be made, but none that looks like it.
  const admin = { name: ADMIN_USER_NAME, name_folded: ADMIN_USER_NAME }
  refuseAlike('user', name, [...users, admin])
}
