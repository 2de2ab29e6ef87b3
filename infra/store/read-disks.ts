// Disks on which parts of the table `events` may lie: embedded those of LOGEYE_STORE_DIRECTORIES,
// on a server those of the storage policy of the table.
import { localName, type StoreCluster } from '../../schemas/store/cluster.ts'
import { DISK_PREFIX } from '../../schemas/store/disks.ts'
import type { Store } from './port.ts'

const TIMEOUT_MS = 20_000

export type StoreDisk = {
  /** As a statement names it. */
  readonly name: string
  /** Without a slash at its end. */
  readonly directory: string
  readonly freeBytes: number
  readonly totalBytes: number
  /** Of the embedded engine: nobody else says what lies there. */
  readonly isOurs: boolean
}

/** The first is where new parts are written. */
export async function readDisks(
  store: Pick<Store, 'query'> & { readonly cluster?: StoreCluster | undefined },
  signal?: AbortSignal,
): Promise<readonly StoreDisk[]> {
  const { cluster } = store
  const rows = await store.query<{ name: string; path: string; free: string; total: string }>({
    sql: `SELECT d.name AS name, d.path AS path, toString(d.free_space) AS free, toString(d.total_space) AS total
      FROM (SELECT volume_priority, arrayJoin(disks) AS disk FROM system.storage_policies WHERE policy_name IN
        (SELECT storage_policy FROM system.tables WHERE database = ${cluster === undefined ? 'currentDatabase()' : '{database: String}'} AND name = {table: String})) AS p
      INNER JOIN system.disks AS d ON d.name = p.disk ORDER BY p.volume_priority`,
    params: {
      table: localName('events', cluster),
      ...(cluster === undefined ? {} : { database: cluster.database }),
    },
    timeoutMs: TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  })
  const isOurs = rows.some(({ name }) => name.startsWith(DISK_PREFIX))
  return rows.map(({ name, path, free, total }) => ({
    name,
    directory: path.replace(/(?<=.)\/$/, ''),
    freeBytes: Number(free),
    totalBytes: Number(total),
    isOurs,
  }))
}
