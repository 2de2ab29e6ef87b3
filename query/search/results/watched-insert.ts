// A stored result is looked at while it grows: what ends it in time is the bound of its user, not
// the disk.
import type { Clock } from '../../../infra/clock.ts'
import { isFailure } from '../../../schemas/failures.ts'

const EVERY_MS = 500

/** Ends `insert` when `check` fails with search.quota; other failures of a check are left to the
 *  check that comes when all is written. */
export async function watchedInsert(
  insert: (signal: AbortSignal) => Promise<void>,
  check: () => Promise<void>,
  signal: AbortSignal,
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  const stop = new AbortController()
  const written = new AbortController()
  const inserting = insert(AbortSignal.any([signal, stop.signal])).finally(() => written.abort())
  const watch = async () => {
    for (;;) {
      await clock.sleep(EVERY_MS, written.signal)
      if (written.signal.aborted) return
      try {
        await check()
      } catch (error) {
        if (!isFailure(error) || error.code !== 'search.quota') continue
        stop.abort()
        throw error
      }
    }
  }
  const [inserted, watched] = await Promise.allSettled([inserting, watch()])
  if (watched.status === 'rejected') throw watched.reason
  if (inserted.status === 'rejected') throw inserted.reason
}
