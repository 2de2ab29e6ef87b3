// Begins a session of a user who has just shown that he is it.
import type { SignedIn } from '../../infra/access/signed-in.ts'
import type { Clock } from '../../infra/clock.ts'
import { addSession, endSession } from '../../infra/metastore/access/sessions.ts'
import { insertAudit } from '../../infra/metastore/audit/audit-writer.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { Failure } from '../../schemas/failures.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'

const HOUR_MS = 3_600_000

export type NewlySignedIn = Pick<SignedIn, 'user' | 'address'> & {
  readonly by: { readonly kind: SignedIn['by']['kind'] }
}

/** Gives the value of the cookie. `replaced`: hash of the session that it replaces. Fails with
 *  sign_in.nobody while security is off, and with sign_in.not_by_token: a session would outlive the
 *  token, and may do all that its user may. */
export async function beginSession(
  { user, address, by }: NewlySignedIn,
  deps: { readonly metastore: OpenedMetastore; readonly clock: Clock },
  { replaced }: { readonly replaced?: string } = {},
): Promise<{ secret: string; endsMs: number }> {
  const { metastore, clock } = deps
  if (user.id === ANONYMOUS_USER.id) throw new Failure('sign_in.nobody')
  if (by.kind === 'token') throw new Failure('sign_in.not_by_token')
  const nowMs = clock.nowMs()
  const endsMs = nowMs + metastore.setting('system.sessionHours') * HOUR_MS
  const entry = {
    ...{ userId: user.id, userName: user.name, address },
    ...{ action: 'session.begin', target: '', result: 'done', details: { by: by.kind } },
  }
  const session = { userId: user.id, signedInBy: by.kind, address, endsMs }
  const secret = await metastore.database.write(async (transaction) => {
    const made = await addSession(transaction, clock, session)
    if (replaced !== undefined) await endSession(transaction, replaced)
    await insertAudit(transaction, [{ entry, atMs: nowMs }])
    return made
  })
  return { secret, endsMs }
}
