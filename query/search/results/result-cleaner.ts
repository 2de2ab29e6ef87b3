// Removes stored results when their time is over (decisions 4.5, 4.6): a job, and what a user's
// quota may wait for. It may be killed anywhere in it.
import type { Clock } from '../../../infra/clock.ts'
import type { Database } from '../../../infra/database/port.ts'
import {
  listResultIds,
  removeExpiredResults,
} from '../../../infra/metastore/searches/search-results.ts'
import { optional } from '../../../infra/optional.ts'
import type { Job } from '../../../infra/scheduler/job.ts'
import type { Store } from '../../../infra/store/port.ts'
import { localName, onCluster, systemTable } from '../../../schemas/store/cluster.ts'

/** What is left is done the next time. */
const DROP_MS = 30_000

type Deps = {
  readonly store: Store
  readonly database: Database
  readonly clock: Pick<Clock, 'nowMs' | 'elapsedMs'>
  readonly signal?: AbortSignal | undefined
}

export const resultCleaning: Job = {
  name: 'result-cleaning',
  everyMs: 60_000,
  limitMs: 120_000,
  run: cleanResults,
}

export async function cleanResults(deps: Deps): Promise<void> {
  await removeExpiredResults(deps.database, deps.clock.nowMs())
  await dropUnnamedResults(deps)
}

/** Removes the rows of results that no record names, whatever left them there: a crash, an end, a
 *  time that is over. */
async function dropUnnamedResults({ store, database, clock, signal }: Deps): Promise<void> {
  const startedMs = clock.elapsedMs()
  // A record is there before its first row: what is listed first and not named then is nobody's.
  const { cluster } = store
  const table = localName('results', cluster)
  const there = await store.query<{ result: string }>({
    sql: `SELECT DISTINCT partition AS result FROM ${systemTable('parts', cluster)} WHERE database = currentDatabase() AND table = '${table}' AND active`,
    ...optional('signal', signal),
  })
  const named = await listResultIds(database)
  for (const { result } of there) {
    if (named.has(result)) continue
    if (signal?.aborted || clock.elapsedMs() - startedMs > DROP_MS) return
    await store.command({
      sql: `ALTER TABLE ${table}${onCluster(cluster)} DROP PARTITION {result:String}`,
      params: { result },
      ...optional('signal', signal),
    })
  }
}
