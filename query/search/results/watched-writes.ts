// A file or an export may take an hour: it ends when its user loses the right to one of the logs
// that its rows may be of (decision 4.9), and with what opened it: a token that is removed, a
// session that is ended. What has gone out by then stays out; what is cut off is no whole body.
import type { SignedIn } from '../../../infra/access/signed-in.ts'
import { requireStillSignedIn } from '../../../infra/access/still-signed-in.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { Access } from '../../../infra/metastore/access/port.ts'
import type { Rights } from '../../../infra/metastore/rights/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { maySeeResult, type ResultOwner } from './stored-result.ts'

const EVERY_MS = 1000

export function watchedWrites(
  write: (chunk: Uint8Array) => Promise<void>,
  { signedIn, logs }: Pick<ResultOwner, 'logs'> & { readonly signedIn: SignedIn },
  deps: {
    readonly clock: Pick<Clock, 'elapsedMs' | 'nowMs'>
    readonly metastore: Rights & Access
  },
): (chunk: Uint8Array) => Promise<void> {
  const { clock, metastore } = deps
  let lookedMs = clock.elapsedMs()
  return async (chunk) => {
    if (clock.elapsedMs() - lookedMs >= EVERY_MS) {
      const reader = await requireStillSignedIn(signedIn, deps)
      if (!maySeeResult({ logs }, await metastore.visibleLogs(reader)))
        throw new Failure('rights.missing')
      lookedMs = clock.elapsedMs()
    }
    await write(chunk)
  }
}
