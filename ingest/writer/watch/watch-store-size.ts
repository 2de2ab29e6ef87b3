// What the store holds, by table, as metrics. Every process that writes says the same of the one
// store: take the greatest, not the sum.
import type { Clock } from '../../../infra/clock.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import type { Store } from '../../../infra/store/port.ts'
import { systemTable } from '../../../schemas/store/cluster.ts'

const EVERY_MS = 15_000
const TIMEOUT_MS = 5000

/** Until the signal aborts. While the store is away the last values stay. */
export async function watchStoreSize(options: {
  readonly store: Pick<Store, 'query' | 'cluster'>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly signal: AbortSignal
}): Promise<void> {
  const { store, metrics, clock, signal } = options
  const labels = ['table']
  const rows = metrics.gauge('logeye_store_rows', 'Rows of a table of the store', labels)
  const bytes = metrics.gauge(
    'logeye_store_bytes',
    'Bytes of a table of the store on the disk, compressed',
    labels,
  )
  const sql = `SELECT table, toString(sum(rows)) AS rows, toString(sum(bytes_on_disk)) AS bytes
    FROM ${systemTable('parts', store.cluster)} WHERE active AND database = currentDatabase() GROUP BY table`
  const seen = new Set<string>()
  while (!signal.aborted) {
    try {
      const tables = await store.query<{ table: string; rows: string; bytes: string }>({
        sql,
        signal,
        timeoutMs: TIMEOUT_MS,
      })
      for (const table of seen) {
        rows.set(0, { table })
        bytes.set(0, { table })
      }
      for (const it of tables) {
        seen.add(it.table)
        rows.set(Number(it.rows), { table: it.table })
        bytes.set(Number(it.bytes), { table: it.table })
      }
    } catch {
      // Whether the store answers is said elsewhere.
    }
    await clock.sleep(EVERY_MS, signal)
  }
}
