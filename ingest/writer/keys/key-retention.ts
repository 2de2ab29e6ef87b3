// Idempotency keys count for 24 h of receipt (decision 2.7). Their days are dropped whole; two days
// more are kept, for a writer that is behind. Counted from the newest key, when that is older than
// now: a writer that was days behind still needs the keys of those days, and a clock that was wrong
// for a while takes none away.
import type { Clock } from '../../../infra/clock.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import type { Store } from '../../../infra/store/port.ts'
import { localName, onCluster, systemTable } from '../../../schemas/store/cluster.ts'

const KEPT_MS = 3 * 86_400_000
const EVERY_MS = 3_600_000
const STATEMENT_TIMEOUT_MS = 20_000

/** Looks once an hour until the signal aborts; a store that is away is asked again an hour
 *  later. */
export async function keepKeysShort(deps: {
  store: Pick<Store, 'query' | 'command' | 'cluster'>
  clock: Clock
  logger: Logger
  signal: AbortSignal
}): Promise<void> {
  const { store, clock, logger, signal } = deps
  while (!signal.aborted) {
    await clock.sleep(EVERY_MS, signal)
    if (signal.aborted) return
    try {
      await dropOldKeys(store, clock.nowMs())
    } catch (error) {
      logger.warn('old idempotency keys not dropped', describeError(error))
    }
  }
}

/** Drops the days (UTC) of receipt that ended before the kept time. `nowMs` stands for the newest
 *  key when that is later. */
export async function dropOldKeys(
  store: Pick<Store, 'query' | 'command' | 'cluster'>,
  nowMs: number,
): Promise<void> {
  const keptFrom = new Date(Math.min(nowMs, await newestMs(store)) - KEPT_MS)
  const firstKept = Number(keptFrom.toISOString().slice(0, 10).replaceAll('-', ''))
  const { cluster } = store
  const table = localName('idempotency', cluster)
  const days = await store.query<{ day: number }>({
    sql: `SELECT DISTINCT toUInt32OrZero(partition) AS day FROM ${systemTable('parts', cluster)}
      WHERE database = currentDatabase() AND table = '${table}' AND active AND day < {firstKept: UInt32}`,
    params: { firstKept },
    timeoutMs: STATEMENT_TIMEOUT_MS,
  })
  for (const { day } of days) {
    if (!Number.isSafeInteger(day) || day <= 0) continue
    await store.command({
      sql: `ALTER TABLE ${table}${onCluster(cluster)} DROP PARTITION ${day}`,
      timeoutMs: STATEMENT_TIMEOUT_MS,
    })
  }
}

/** 0 without any key. */
async function newestMs(store: Pick<Store, 'query'>): Promise<number> {
  const [row] = await store.query<{ newest: string }>({
    sql: 'SELECT toUnixTimestamp64Milli(max(received)) AS newest FROM idempotency',
    timeoutMs: STATEMENT_TIMEOUT_MS,
  })
  return Number(row?.newest ?? 0)
}
