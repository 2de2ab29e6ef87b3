// Whom a command of the caller's own affairs is for.
import { mayDo } from '../../../infra/access/may-do.ts'
import type { SignedIn } from '../../../infra/access/signed-in.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { requireUser } from '../../../infra/metastore/users/find-user.ts'
import { Failure } from '../../../schemas/failures.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../../schemas/users.ts'

/** Fails with sign_in.nobody while security is off. */
export function requireOwnUser({ user }: SignedIn): UserRecord {
  if (user.id === ANONYMOUS_USER.id) throw new Failure('sign_in.nobody')
  return user
}

/** Id of the caller, or of another user, for which system.security is needed. Fails with
 *  rights.missing, object.not_found. */
export async function requireUserNamed(
  transaction: DatabaseTransaction,
  name: string | undefined,
  caller: SignedIn,
): Promise<number> {
  if (name === undefined) return requireOwnUser(caller).id
  if (!mayDo(caller.user, 'system.security')) throw new Failure('rights.missing')
  return (await requireUser(transaction, name)).id
}
