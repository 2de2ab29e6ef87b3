// Begins a session of a user who has just shown that he is it.
import type { SignedIn } from '../../infra/access/signed-in.ts'
import type { Clock } from '../../infra/clock.ts'
import { addSession } from '../../infra/metastore/access/sessions.ts'
import { insertAudit } from '../../infra/metastore/audit/audit-writer.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { Failure } from '../../schemas/failures.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'

const HOUR_MS = 3_600_000

/** Gives the value of the cookie. Fails with sign_in.nobody while security is off. */
export async function beginSession(
  { user, address, by }: SignedIn,
  { metastore, clock }: { readonly metastore: OpenedMetastore; readonly clock: Clock },
): Promise<{ secret: string; endsMs: number }> {
  if (user.id === ANONYMOUS_USER.id) throw new Failure('sign_in.nobody')
  const nowMs = clock.nowMs()
  const endsMs = nowMs + metastore.setting('system.sessionHours') * HOUR_MS
  const entry = {
    ...{ userId: user.id, userName: user.name, address },
    ...{ action: 'session.begin', target: '', result: 'done', details: { by: by.kind } },
  }
  const session = { userId: user.id, signedInBy: by.kind, address, endsMs }
  const secret = await metastore.database.write(async (transaction) => {
    const made = await addSession(transaction, clock, session)
    await insertAudit(transaction, [{ entry, atMs: nowMs }])
    return made
  })
  return { secret, endsMs }
}
