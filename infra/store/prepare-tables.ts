// Makes the tables of the store, which may come later than this process. Of several processes on a
// store that they share one does it, the holder of a lease in the database; the others wait for it,
// and find them made.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/port.ts'
import { runAsHolder } from '../database/run-as-holder.ts'
import type { Logger } from '../logger.ts'
import { retry } from '../retry.ts'
import { toStartFailure } from './check-server.ts'
import { migrateStore } from './migrate.ts'
import type { Store } from './port.ts'

/** How long a store may be away, and another process be at work, before the process begins anew. */
const LIMIT_MS = 600_000
const SAY_EVERY_MS = 15_000
/** How often a process looks whether another has ended. */
const LOOK_MS = 200

type Options = {
  readonly store: Store
  /** Address of a store that others use, too; absent: the store is this program's own. */
  readonly url: string | undefined
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly limitMs?: number
}

/** Resolves early when the signal aborts. Fails with start.refused in one line, or with
 *  store.unavailable at the limit. */
export async function prepareTables(options: Options): Promise<void> {
  const { store, url, database, clock, signal, limitMs = LIMIT_MS } = options
  const migrated = () =>
    retry(() => migrateStore(store, () => readPolicies(database)), {
      clock,
      limitMs,
      maxDelayMs: 500,
      signal,
    })
  try {
    if (url === undefined) await migrated()
    else await inTurn(options, limitMs, migrated)
  } catch (error) {
    if (signal.aborted) return
    throw url === undefined ? error : toStartFailure(error, url)
  }
}

async function readPolicies(database: Database): Promise<ReadonlyMap<number, number>> {
  const rows = await database.read.selectFrom('logs').select(['id', 'policy_id']).execute()
  return new Map(rows.map((row) => [Number(row.id), Number(row.policy_id)]))
}

async function inTurn(
  { database, clock, logger, signal }: Options,
  limitMs: number,
  work: () => Promise<void>,
): Promise<void> {
  const done = new AbortController()
  const late = new AbortController()
  let isOurs = false
  const watch = async () => {
    const beganMs = clock.elapsedMs()
    const either = AbortSignal.any([signal, done.signal])
    for (;;) {
      const waitedMs = clock.elapsedMs() - beganMs
      await clock.sleep(Math.max(1, Math.min(SAY_EVERY_MS, limitMs - waitedMs)), either)
      if (either.aborted) return
      const seconds = Math.round((clock.elapsedMs() - beganMs) / 1000)
      if (isOurs) continue
      if (clock.elapsedMs() - beganMs >= limitMs) return late.abort()
      logger.info('another process makes the tables of the store, waiting for it', { seconds })
    }
  }
  const watched = watch()
  const common = { database, clock, logger, name: 'store tables', lookEveryMs: LOOK_MS }
  const onChange = (isHeld: boolean) => {
    isOurs = isHeld
  }
  try {
    await runAsHolder({ ...common, onChange, signal: AbortSignal.any([signal, late.signal]) }, work)
  } finally {
    done.abort()
    await watched
  }
  if (!late.signal.aborted || signal.aborted) return
  const reason = `the tables of the store were not made within ${limitMs / 1000} s by the process that holds the lease 'store tables'`
  throw new Failure('start.refused', { reason })
}
