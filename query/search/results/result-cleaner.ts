// Removes stored results when their time is over (decisions 4.5, 4.6). Every query process does; it
// may be killed anywhere in it.
import type { Clock } from '../../../infra/clock.ts'
import type { Database } from '../../../infra/database/port.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import {
  listResultIds,
  removeExpiredResults,
} from '../../../infra/metastore/searches/search-results.ts'
import type { Store } from '../../../infra/store/port.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { localName, onCluster, systemTable } from '../../../schemas/store/cluster.ts'

const EVERY_MS = 60_000
const LIMIT_MS = 30_000

type Deps = {
  readonly store: Store
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/** Runs until the signal aborts. */
export async function cleanResultsForever(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deps.clock.sleep(EVERY_MS, signal)
    if (signal.aborted) return
    await cleanResults(deps).catch((error: unknown) => {
      // An engine that is away has been said; the next round does it.
      if (isFailure(error) && error.entry.retriable === true) return
      deps.logger.warn('stored results not cleaned', describeError(error))
    })
  }
}

export async function cleanResults({
  store,
  database,
  clock,
}: Omit<Deps, 'logger'>): Promise<void> {
  await removeExpiredResults(database, clock.nowMs())
  await dropUnnamedResults(store, () => listResultIds(database), clock, LIMIT_MS)
}

/** Removes the rows of results that no record names, whoever left them behind: a crash, an end, a
 *  time that is over. */
async function dropUnnamedResults(
  store: Store,
  names: () => Promise<ReadonlySet<string>>,
  clock: Pick<Clock, 'elapsedMs'>,
  limitMs: number,
): Promise<void> {
  const startedMs = clock.elapsedMs()
  // A record is there before its first row: what is listed first and not named then is nobody's.
  const { cluster } = store
  const table = localName('results', cluster)
  const there = await store.query<{ result: string }>({
    sql: `SELECT DISTINCT partition AS result FROM ${systemTable('parts', cluster)} WHERE database = currentDatabase() AND table = '${table}' AND active`,
  })
  const named = await names()
  for (const { result } of there) {
    if (named.has(result)) continue
    if (clock.elapsedMs() - startedMs > limitMs) return
    await store.command({
      sql: `ALTER TABLE ${table}${onCluster(cluster)} DROP PARTITION {result:String}`,
      params: { result },
    })
  }
}
