// What can end a call before it is done: its time, a cancel by a name of the caller's, the client
// going away, the product stopping.
import type { Clock } from '../../infra/clock.ts'
import type { Turn } from '../search/run-in-turn.ts'
import { type RunningSearches, searchIdKey } from './running-searches.ts'
import { openSearchSignal } from './search-signal.ts'
import type { EdgeCall } from './surface.ts'

export type TurnEdge = {
  readonly clock: Clock
  readonly stopping: AbortSignal
  readonly running: RunningSearches
}

export type OpenedTurn = {
  readonly turn: Turn
  /** The answer has begun: its time counts no more. */
  readonly answered: () => void
  /** To be called when all is over. */
  readonly close: () => void
}

export async function openTurn(
  { request, signedIn, startedMs, asked: { timeoutMs } }: EdgeCall,
  names: {
    readonly searchId: string | undefined
    /** Further ones by which it can be cancelled. */
    readonly searchKeys?: readonly string[]
    /** Aborts when nobody reads the answer any more. */
    readonly gone?: AbortSignal
  },
  { clock, stopping, running }: TurnEdge,
): Promise<OpenedTurn> {
  const { searchId, searchKeys: further = [], gone } = names
  const deadlineMs = startedMs + timeoutMs
  const cancelOn = [request.signal, stopping, ...(gone === undefined ? [] : [gone])]
  const ended = openSearchSignal({ clock, deadlineMs, timeoutMs, cancelOn })
  const userId = signedIn.user.id
  const searchKeys = [...(searchId === undefined ? [] : [searchIdKey(searchId)]), ...further]
  try {
    const remove =
      searchKeys.length === 0
        ? undefined
        : await running.add({ userId, searchKeys, stop: () => ended.cancel() })
    return {
      turn: { userId, deadlineMs, signal: ended.signal },
      answered: () => ended.answered(),
      close: () => {
        remove?.()
        ended.close()
      },
    }
  } catch (error) {
    ended.close()
    throw error
  }
}
