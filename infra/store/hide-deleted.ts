// The store as who answers with events sees it: what is being deleted is in no read of the table
// `events`, whatever statement reads it (docs/decisions/0085).
import { addFilter } from '../../schemas/store/cluster.ts'
import type { Store, StoreQuery } from './port.ts'

/** The statement reads the table. */
const READS_EVENTS = /\bevents\b/

/** `readHidden`: conditions over `events` of now, each true for what is hidden. */
export function hideDeleted(store: Store, readHidden: () => Promise<readonly string[]>): Store {
  const hide = async (query: StoreQuery): Promise<StoreQuery> => {
    if (!READS_EVENTS.test(query.sql)) return query
    const hidden = await readHidden()
    if (hidden.length === 0) return query
    const shown = hidden.map((one) => `ifNull((${one}), 0) = 0`).join(' AND ')
    return { ...query, settings: addFilter(query.settings, 'events', shown) }
  }
  async function* stream(...[query, reading]: Parameters<Store['stream']>) {
    yield* store.stream(await hide(query), reading)
  }
  async function* readPacked(query: StoreQuery) {
    yield* store.readPacked(await hide(query))
  }
  return {
    cluster: store.cluster,
    query: async (query) => await store.query(await hide(query)),
    stream,
    readPacked,
    measure: async (query) => await store.measure(await hide(query)),
    command: async (query) => await store.command(await hide(query)),
    insertNative: (insert) => store.insertNative(insert),
    kill: (queryId) => store.kill(queryId),
    catchUp: (table) => store.catchUp(table),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}
