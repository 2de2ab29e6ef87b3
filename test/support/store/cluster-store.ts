// A store of a cluster whose server is a double that answers as the test says.
import { openStore } from '../../../infra/store/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { type Answer, type Asked, startClickHouseDouble } from './clickhouse-double.ts'

/** `ends`: takes what is to be called when the test is over, the last one first. */
export async function openClusterStore(
  ends: (() => Promise<unknown>)[],
  answer: (asked: Asked) => Answer,
): Promise<{ store: Store; asked: readonly Asked[]; url: string }> {
  const { url, asked, stop } = await startClickHouseDouble(answer)
  const store = await openStore({ url: `${url}/logs`, isServer: true, clusterName: 'logeye' })
  ends.push(stop, () => store.close())
  return { store, asked, url }
}
