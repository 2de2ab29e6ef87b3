// A store on which searches take long: to be ended, cancelled and waited for.
import type { Store } from '../../../infra/store/port.ts'

/** Searches take fifty seconds on the engine and find nothing; everything else is the real
 *  store. */
export function slowed(store: Store): Store {
  const sql =
    'SELECT number FROM numbers(500) WHERE sleepEachRow(0.1) = 1 SETTINGS max_block_size = 1'
  return {
    cluster: store.cluster,
    query: (query) => store.query(query),
    stream: (query) => store.stream({ ...query, sql }),
    measure: (query) => store.measure({ ...query, sql }),
    command: (query) => store.command(query),
    readPacked: (query) => store.readPacked(query),
    insertNative: (insert) => store.insertNative(insert),
    kill: (queryId) => store.kill(queryId),
    catchUp: (table) => store.catchUp(table),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}

/** How many of them the store works on. */
export async function countSlow(store: Store): Promise<number> {
  const rows = await store.query<{ count: string }>({
    sql: "SELECT count() AS count FROM system.processes WHERE query LIKE '%sleepEachRow%' AND query NOT LIKE '%system.processes%'",
    settings: { priority: 1 },
  })
  return Number(rows[0]?.count)
}
