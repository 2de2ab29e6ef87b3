// Idempotency keys count for 24 h of receipt (decision 2.7). Their days are dropped whole; two days
// more are kept, for a writer that is behind. Counted from the newest key, when that is older than
// now: a writer that was days behind still needs the keys of those days, and a clock that was wrong
// for a while takes none away.
import { optional } from '../../../infra/optional.ts'
import type { Job } from '../../../infra/scheduler/job.ts'
import type { Store } from '../../../infra/store/port.ts'
import { localName, onCluster, systemTable } from '../../../schemas/store/cluster.ts'

const KEPT_MS = 3 * 86_400_000
const STATEMENT_TIMEOUT_MS = 20_000

export const keyRetention: Job = {
  name: 'key-retention',
  everyMs: 3_600_000,
  limitMs: 300_000,
  run: ({ store, clock, signal }) => dropOldKeys(store, clock.nowMs(), signal),
}

type KeyStore = Pick<Store, 'query' | 'command' | 'cluster'>

/** Drops the days (UTC) of receipt that ended before the kept time. `nowMs` stands for the newest
 *  key when that is later. */
export async function dropOldKeys(
  store: KeyStore,
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const around = { timeoutMs: STATEMENT_TIMEOUT_MS, ...optional('signal', signal) }
  const { cluster } = store
  const table = localName('idempotency', cluster)
  // First, since a store whose tables are not made yet has none.
  const days = await store.query<{ day: number }>({
    sql: `SELECT DISTINCT toUInt32OrZero(partition) AS day FROM ${systemTable('parts', cluster)}
      WHERE database = currentDatabase() AND table = '${table}' AND active AND day < {firstKept: UInt32}`,
    params: { firstKept: dayKeptFrom(nowMs) },
    ...around,
  })
  if (days.length === 0) return
  const [row] = await store.query<{ newest: string }>({
    sql: 'SELECT toUnixTimestamp64Milli(max(received)) AS newest FROM idempotency',
    ...around,
  })
  const firstKept = dayKeptFrom(Math.min(nowMs, Number(row?.newest ?? 0)))
  for (const { day } of days) {
    if (!Number.isSafeInteger(day) || day <= 0 || day >= firstKept) continue
    await store.command({
      sql: `ALTER TABLE ${table}${onCluster(cluster)} DROP PARTITION ${day}`,
      ...around,
    })
  }
}

/** As a number of eight digits, yyyymmdd. */
function dayKeptFrom(newestMs: number): number {
  return Number(new Date(newestMs - KEPT_MS).toISOString().slice(0, 10).replaceAll('-', ''))
}
