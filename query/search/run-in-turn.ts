// Work on the store under the limits of a search (decisions 4.7, 4.8): in its turn of the fair
// queue, within memory, threads and time. An abort answers at once with the signal's reason; the
// place in the queue is given back when the store has let go.
import type { Clock } from '../../infra/clock.ts'
import type { FairQueue } from '../../infra/fair-queue.ts'
import type { Store, StoreQuery } from '../../infra/store/port.ts'
import { Failure, type FailureCode, isFailure } from '../../schemas/failures.ts'
import { spillSettings } from '../../schemas/store/spill.ts'

export type TurnDeps = {
  readonly store: Store
  readonly clock: Clock
  readonly queue: FairQueue
  readonly maxQueryMemoryBytes: number
  /** Of the disk: nothing that a search writes may take it. */
  readonly keptFreeBytes: number
}

export type Turn = {
  readonly userId: number
  /** clock.elapsedMs() at which the answer must have begun. */
  readonly deadlineMs: number
  /** Its reason is the failure to answer. */
  readonly signal: AbortSignal
}

/** After these nothing of the query is left on the store. */
const ENDED: ReadonlySet<FailureCode> = new Set([
  'store.memory',
  'store.timeout',
  'store.failed',
  'store.data',
  'store.too_many_rows',
  'store.poisoned',
  'search.too_many_results',
  'search.no_room',
] as const)
/** Threads of a search that runs alone. Several share the processors: one thread each, so that
 *  ingest keeps its part of them. */
const MAX_THREADS = 2
/** While an insert runs (priority 1), a search waits so long before each block: the inserts keep 62
 *  % of their rate beside four searches instead of 38. A longer wait would stop the searches
 *  wherever inserts never pause. */
const BEHIND_INSERTS = { priority: 2, low_priority_query_wait_time_ms: 50 } as const

/** `queryIds`: every query that `work` may send. */
export async function runInTurn<Value>(
  turn: Turn & { readonly queryIds: readonly string[] },
  deps: TurnDeps,
  work: () => Promise<Value>,
): Promise<Value> {
  const { signal, queryIds } = turn
  signal.throwIfAborted()
  const leave = await enterQueue(turn, deps)
  const running = work().catch(saysRoom)
  // Not awaited: the answer goes out while the store is still letting go. Neither part rejects.
  const release = (error: unknown) =>
    isFailure(error) && ENDED.has(error.code) && !signal.aborted
      ? undefined
      : endOnStore(queryIds, deps)
  void running.catch(release).finally(leave)
  return await untilAborted(running, signal)
}

/** A search writes, too: its result, and what does not fit into memory. */
function saysRoom(error: unknown): never {
  throw isFailure(error) && error.code === 'store.no_space'
    ? new Failure('search.no_room', {}, error)
    : error
}

async function enterQueue({ userId, signal }: Turn, { queue }: TurnDeps): Promise<() => void> {
  const leave = await queue.enter(String(userId), signal)
  if (leave === 'full') throw new Failure('search.busy')
  if (leave === 'aborted') throw signal.reason
  return leave
}

/** A statement with the limits of the turn; `settings` are the compiler's. */
export function limitedQuery(
  query: Pick<StoreQuery, 'sql' | 'params' | 'settings' | 'queryId'>,
  turn: Turn,
  deps: TurnDeps,
): StoreQuery {
  return {
    ...query,
    settings: {
      ...BEHIND_INSERTS,
      ...query.settings,
      max_threads: deps.queue.running > 1 ? 1 : MAX_THREADS,
      max_memory_usage: deps.maxQueryMemoryBytes,
      ...spillSettings(deps.maxQueryMemoryBytes),
      min_free_disk_space_for_temporary_data: deps.keptFreeBytes,
    },
    timeoutMs: Math.max(1, Math.ceil(turn.deadlineMs - deps.clock.elapsedMs())),
    signal: turn.signal,
  }
}

/** Whatever the closed connection has done: the store works on none of them any more when this
 *  resolves. */
async function endOnStore(queryIds: readonly string[], { store }: TurnDeps): Promise<void> {
  await Promise.allSettled(queryIds.map((queryId) => store.kill(queryId)))
}

/** The answer does not wait for the store to let go. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let remove = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    remove = () => signal.removeEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    remove()
  }
}
