// The units of the store with what they take on the disk.
import { localName, type StoreCluster } from '../../schemas/store/cluster.ts'
import { IS_COMPACT } from './compaction.ts'
import type { Store } from './port.ts'

const TIMEOUT_MS = 20_000
const DAY_MS = 86_400_000

/** Policy and day of receipt (from 1970, UTC). */
export type StoredUnit = {
  readonly policyId: number
  readonly day: number
  readonly events: number
  /** On the disk. */
  readonly bytes: number
  /** Of them in parts that are compacted. */
  readonly compactBytes: number
}

type Row = { partition: string; events: string; bytes: string; compact: string }

/** Copies of a shard are not counted twice. */
export async function readUnits(
  store: Pick<Store, 'query'> & { readonly cluster?: StoreCluster | undefined },
  signal: AbortSignal,
): Promise<readonly StoredUnit[]> {
  const { cluster } = store
  const rows = await store.query<Row>({
    sql: `SELECT partition, sum(rows) AS events, sum(bytes_on_disk) AS bytes,
      sumIf(bytes_on_disk, ${IS_COMPACT}) AS compact FROM ${partsOf(cluster)}
      WHERE database = ${cluster === undefined ? 'currentDatabase()' : '{database: String}'}
      AND table = {table: String} AND active AND rows > 0 GROUP BY partition`,
    params: {
      table: localName('events', cluster),
      ...(cluster === undefined ? {} : { database: cluster.database }),
    },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return rows.flatMap(({ partition, events, bytes, compact }) => {
    const [policyId, date] = partition.replace(/[()]/g, '').split(',').map(Number)
    if (policyId === undefined || date === undefined) return []
    const taken = { bytes: Number(bytes), compactBytes: Number(compact) }
    return [{ policyId, day: dayOf(date), events: Number(events), ...taken }]
  })
}

function partsOf(cluster: StoreCluster | undefined): string {
  return cluster === undefined ? 'system.parts' : `cluster('${cluster.name}', system.parts)`
}

/** `date`: yyyymmdd. */
function dayOf(date: number): number {
  const time = Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100)
  return time / DAY_MS
}
