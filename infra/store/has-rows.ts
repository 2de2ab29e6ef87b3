// Whether a store that others keep for us has events already.
import { isFailure } from '../../schemas/failures.ts'
import { clickHouseCode } from './errors.ts'
import { openStore } from './open.ts'

const UNKNOWN_TABLE = 60
const WITHIN_MS = 3000

/** False also of one that has no tables of ours. Fails with store.*. */
export async function storeHasRows(url: string, clusterName?: string): Promise<boolean> {
  const store = await openStore({
    url,
    isServer: true,
    ...(clusterName === undefined ? {} : { clusterName }),
  })
  try {
    const sql = 'SELECT 1 FROM counts LIMIT 1'
    return (await store.query({ sql, timeoutMs: WITHIN_MS })).length > 0
  } catch (error) {
    if (isFailure(error) && clickHouseCode(error.cause) === UNKNOWN_TABLE) return false
    throw error
  } finally {
    await store.close()
  }
}
