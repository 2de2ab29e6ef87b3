// For answers that go on for long: what opened them may have ended meanwhile.
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { UserRecord } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import type { Access } from '../metastore/access/port.ts'
import type { Rights } from '../metastore/rights/port.ts'
import { findTokenUser } from './check-token.ts'
import type { SignedIn } from './signed-in.ts'

/** The user with the rights of now. Fails with sign_in.failed: disabled or removed; the token or
 *  session has ended; after a password, another password or a second factor. While the database is
 *  away, what is in memory goes on. */
export async function requireStillSignedIn(
  signedIn: SignedIn,
  deps: { readonly metastore: Rights & Access; readonly clock: Pick<Clock, 'nowMs'> },
): Promise<UserRecord> {
  if (!deps.metastore.isSecurityOn()) return signedIn.user
  const user = await findNow(signedIn, deps)
  if (user?.isEnabled !== true) throw new Failure('sign_in.failed')
  return user
}

async function findNow(
  { user, by }: SignedIn,
  { metastore, clock }: Parameters<typeof requireStillSignedIn>[1],
): Promise<UserRecord | undefined> {
  const { access } = metastore
  const now = await access.userById(user.id)
  switch (by.kind) {
    case 'token':
      return (await findTokenUser(by.hash, metastore, clock))?.user
    case 'session':
      return (await isOpen(by.session.idHash, access)) ? now : undefined
    case 'parameters':
    case 'basic':
      return now?.passwordHash === user.passwordHash && !access.hasSecondFactor(user.id)
        ? now
        : undefined
    case 'nothing':
    case 'password':
    case 'second factor':
    case 'oidc':
      return now
  }
}

async function isOpen(idHash: string, access: Access['access']): Promise<boolean> {
  try {
    return await access.hasSession(idHash)
  } catch (error) {
    if (isFailure(error) && error.code === 'database.unavailable') return true
    throw error
  }
}
