// A file or an export may take an hour: it ends when its user loses the right to one of the logs
// that its rows may be of, or is disabled (decision 4.9). What has gone out by then stays out; what
// is cut off is no whole body.
import type { Clock } from '../../../infra/clock.ts'
import type { Rights } from '../../../infra/metastore/rights/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { maySeeResult, type ResultOwner } from './stored-result.ts'

const EVERY_MS = 1000

export function watchedWrites(
  write: (chunk: Uint8Array) => Promise<void>,
  owner: ResultOwner,
  { clock, metastore }: { clock: Pick<Clock, 'elapsedMs'>; metastore: Pick<Rights, 'visibleLogs'> },
): (chunk: Uint8Array) => Promise<void> {
  let lookedMs = clock.elapsedMs()
  return async (chunk) => {
    if (clock.elapsedMs() - lookedMs >= EVERY_MS) {
      if (!maySeeResult(owner, await metastore.visibleLogs(owner.userId)))
        throw new Failure('rights.missing')
      lookedMs = clock.elapsedMs()
    }
    await write(chunk)
  }
}
