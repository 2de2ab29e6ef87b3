// A store whose engine does what a test says: answers, fails or never ends. Notes which queries
// were killed.
import type { Store, StoreQuery } from '../../../infra/store/port.ts'
import { Failure } from '../../../schemas/failures.ts'

export type FailingStore = Store & { readonly killed: string[]; readonly asked: StoreQuery[] }

/** 'hang': a query ends only by its signal or by `kill`, as on a real engine. */
export function makeFailingStore(
  behave: (query: StoreQuery) => 'hang' | Failure | Error | readonly unknown[],
): FailingStore {
  const killed: string[] = []
  const asked: StoreQuery[] = []
  const hanging = new Map<string, () => void>()
  const run = async (query: StoreQuery): Promise<unknown[]> => {
    asked.push(query)
    const answer = behave(query)
    if (answer !== 'hang') {
      if (answer instanceof Error) throw answer
      return [...answer]
    }
    return await new Promise((_, reject) => {
      const end = () => reject(new Failure('store.cancelled'))
      hanging.set(query.queryId ?? '', end)
      query.signal?.addEventListener('abort', end, { once: true })
    })
  }
  return {
    cluster: undefined,
    killed,
    asked,
    query: async <Row>(query: StoreQuery) => (await run(query)) as Row[],
    stream: async function* (query) {
      yield (await run(query)) as unknown[][]
    },
    measure: async <Row>(query: StoreQuery) => ({
      rows: (await run(query)) as Row[],
      rowsRead: 0,
      bytesRead: 0,
      elapsedMs: 0,
    }),
    command: async (query) => void (await run(query)),
    readPacked: async function* () {},
    insertNative: async () => {},
    kill: async (queryId) => {
      killed.push(queryId)
      hanging.get(queryId)?.()
    },
    catchUp: async () => {},
    ping: async () => true,
    close: async () => {},
  }
}
