// Statements of one call at the store, in its turn of the queue and within its limits.
import { limitedQuery, runInTurn, type Turn, type TurnDeps } from '../search/run-in-turn.ts'
import type { TurnStore } from './endpoint.ts'

const QUERY_ID_BYTES = 16

/** Every statement of the work runs under one id. */
export async function workInTurn<Value>(
  turn: Turn,
  deps: TurnDeps,
  work: (store: TurnStore) => Promise<Value>,
): Promise<Value> {
  const queryId = `search-${deps.clock.randomBytes(QUERY_ID_BYTES).toString('hex')}`
  const store: TurnStore = {
    stream: (statement) => deps.store.stream(limitedQuery({ ...statement, queryId }, turn, deps)),
    measure: async ({ sql, params, settings }) => {
      // Every column of every row is worked out, and none is sent.
      const counted = `SELECT count() AS rows FROM (${sql}) WHERE NOT ignore(*)`
      const query = limitedQuery({ sql: counted, params, settings, queryId }, turn, deps)
      const { rows, ...cost } = await deps.store.measure<{ rows: string }>(query)
      return { rows: Number(rows[0]?.rows ?? 0), ...cost }
    },
  }
  return await runInTurn({ ...turn, queryIds: [queryId] }, deps, () => work(store))
}
