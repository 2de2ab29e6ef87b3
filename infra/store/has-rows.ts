// What a store by URL already holds of this product, asked before anything is made.
import { isFailure } from '../../schemas/failures.ts'
import { clickHouseCode } from './errors.ts'
import { openStore } from './open.ts'

const UNKNOWN_TABLE = 60
const WITHIN_MS = 3000

/** False also for a store that has no tables of this product. Fails with store.*. */
export async function storeHasRows(url: string, clusterName?: string): Promise<boolean> {
  return (await ask(url, clusterName, 'SELECT 1 AS found FROM counts LIMIT 1')) !== undefined
}

/** Number of the last intent, of any writer, that is in the counters; 0: none. Fails with
 *  store.*. */
export async function readStoreNumber(url: string, clusterName?: string): Promise<number> {
  return Number((await ask(url, clusterName, 'SELECT max(upto) AS found FROM counts')) ?? 0)
}

async function ask(
  url: string,
  clusterName: string | undefined,
  sql: string,
): Promise<string | number | undefined> {
  const store = await openStore({
    url,
    isServer: true,
    ...(clusterName === undefined ? {} : { clusterName }),
  })
  try {
    const rows = await store.query<{ found: string | number }>({ sql, timeoutMs: WITHIN_MS })
    return rows[0]?.found
  } catch (error) {
    if (isFailure(error) && clickHouseCode(error.cause) === UNKNOWN_TABLE) return undefined
    throw error
  } finally {
    await store.close()
  }
}
