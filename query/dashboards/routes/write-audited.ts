// A change of apps, dashboards and saved searches: in one transaction with its audit entry, within
// the caller's rights as they are at that moment.
import { mayDo } from '../../../infra/access/may-do.ts'
import type { SignedIn } from '../../../infra/access/signed-in.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { runWithinRights } from '../../../infra/metastore/run-within-rights.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import type { Operation } from '../../../schemas/users.ts'

export type WriteDeps = { readonly metastore: OpenedMetastore; readonly clock: Clock }

export type Audited = {
  readonly action: string
  readonly target: string
  /** That it takes. */
  readonly operation: Operation | 'signed-in'
}

/** Fails with rights.missing and what `work` fails with, which is audited, too. */
export async function writeAudited<T>(
  { action, target, operation }: Audited,
  { user, address }: SignedIn,
  { metastore, clock }: WriteDeps,
  work: (transaction: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  // Each viewer reads dashboards and saved searches with his own rights.
  const change = {
    operations: operation === 'signed-in' ? [] : [[operation]],
    paths: new Set<never>(),
  }
  const entry = { userId: user.id, userName: user.name, address, action, target }
  try {
    if (operation !== 'signed-in' && !mayDo(user, operation)) throw new Failure('rights.missing')
    return await metastore.database.write((transaction) =>
      runWithinRights(transaction, user, change, async () => {
        const done = await work(transaction)
        const atMs = clock.nowMs()
        await insertAudit(transaction, [{ entry: { ...entry, result: 'done' }, atMs }])
        return done
      }),
    )
  } catch (error) {
    if (isFailure(error)) await metastore.audit({ ...entry, result: error.code }).catch(() => {})
    throw error
  }
}
