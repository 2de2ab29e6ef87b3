// The table `archived`: what one object of an archive holds, as rows. One job of all uses it, an
// object at a time.
import type { Store } from '../../infra/store/port.ts'
import { CONTENTS_DIGEST, PLACES_DIGEST } from '../../schemas/archive/digest.ts'
import { EVENT_COLUMNS } from '../../schemas/event-row.ts'
import { localName, onCluster } from '../../schemas/store/cluster.ts'

const TIMEOUT_MS = 300_000
const TABLE = 'archived'

export type StagingDeps = {
  readonly store: Pick<Store, 'query' | 'command' | 'insertNative' | 'cluster'>
  readonly signal: AbortSignal
}

export type RowsDigest = {
  readonly events: number
  readonly places: string
  readonly contents: string
}

export async function empty({ store, signal }: StagingDeps): Promise<void> {
  const { cluster } = store
  await store.command({
    sql: `TRUNCATE TABLE ${localName(TABLE, cluster)}${onCluster(cluster)}`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
}

/** In place of what was there: the rows of an object (format Native, packed by zstd). */
export async function fill(deps: StagingDeps, object: Uint8Array, id: string): Promise<void> {
  await empty(deps)
  const { store, signal } = deps
  await store.insertNative({
    table: TABLE,
    columns: EVENT_COLUMNS.map(({ name }) => name),
    block: object,
    isPacked: true,
    queryId: id,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
}

/** Of the rows of `archived`, or of `events` that meet `where`. */
export async function digestOf(
  { store, signal }: StagingDeps,
  from: { readonly table: 'archived' } | { readonly table: 'events'; readonly where: string },
): Promise<RowsDigest> {
  const where = from.table === 'events' ? ` WHERE ${from.where}` : ''
  const [row] = await store.query<{ events: string; places: string; contents: string }>({
    sql: `SELECT count() AS events, ${PLACES_DIGEST} AS places, ${CONTENTS_DIGEST} AS contents FROM ${from.table}${where}`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  const { events = '0', places = '0', contents = '0' } = row ?? {}
  return { events: Number(events), places, contents }
}
