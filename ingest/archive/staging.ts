// The table `archived`: what one object of an archive holds, as rows. One job of all uses it, an
// object at a time.
import type { Store } from '../../infra/store/port.ts'
import { CONTENTS_DIGEST, PLACES_DIGEST, STORED_DIGEST } from '../../schemas/archive/digest.ts'
import { EVENT_COLUMNS } from '../../schemas/event-row.ts'
import { localName, onCluster } from '../../schemas/store/cluster.ts'

const TIMEOUT_MS = 300_000
const TABLE = 'archived'

export type StagingDeps = {
  readonly store: Pick<Store, 'query' | 'command' | 'insertNative' | 'cluster'>
  readonly signal: AbortSignal
}

/** Number of rows, and a digest of where they come from (PLACES_DIGEST). */
export type RowsDigest = { readonly events: number; readonly places: string }

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

export async function countFilled({ store, signal }: StagingDeps): Promise<number> {
  const sql = `SELECT count() AS events FROM ${TABLE}`
  const [row] = await store.query<{ events: string }>({ sql, timeoutMs: TIMEOUT_MS, signal })
  return Number(row?.events ?? 0)
}

/** Of the rows of `archived` when they are those of `events` that meet `where`, whole and no
 *  others; undefined else. */
export async function compare(deps: StagingDeps, where: string): Promise<RowsDigest | undefined> {
  for (const contents of [STORED_DIGEST, CONTENTS_DIGEST]) {
    const there = await digest(deps, TABLE, contents)
    const wanted = await digest(deps, `events WHERE ${where}`, contents)
    if (there.events !== wanted.events || there.places !== wanted.places) return undefined
    if (there.contents === wanted.contents) return { events: there.events, places: there.places }
  }
  return undefined
}

async function digest({ store, signal }: StagingDeps, from: string, contentsSql: string) {
  const [row] = await store.query<{ events: string; places: string; contents: string }>({
    sql: `SELECT count() AS events, ${PLACES_DIGEST} AS places, ${contentsSql} AS contents FROM ${from}`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  const { events = '0', places = '0', contents = '0' } = row ?? {}
  return { events: Number(events), places, contents }
}
