// The requests of this process by query id, from receipt to answer: what KILL QUERY finds also
// before the engine knows the query.
import type { Clock } from '../../clock.ts'
import { isSentBefore, type Sent } from '../sent-header.ts'
import type { Asker } from './engine.ts'
import { EngineError } from './engine-error.ts'
import { sqlString } from './request/sql-tokens.ts'

const KILL_PAUSE_MS = 20
/** A statement that outlives this many kills is left to its max_execution_time. */
const MAX_KILLS = 500
/** Kills that are remembered. */
const MAX_FENCES = 10_000

export type Running = {
  readonly id: string
  /** Aborts with 394 when cancelled, 159 when its time is over before it began. */
  readonly signal: AbortSignal
  /** Called when the statement goes to the engine. */
  started(): void
  /** Called when all is over, exactly once. */
  ended(): void
}

type Entry = { readonly controller: AbortController; isAtEngine: boolean; isOver: boolean }

export class RunningRequests {
  readonly #entries = new Map<string, Entry>()
  /** Query id -> when its last kill was sent. */
  readonly #fences = new Map<string, Sent>()
  /** Runs a statement after the kills before it. */
  readonly killer: Asker
  readonly #clock: Clock

  constructor(killer: Asker, clock: Clock) {
    this.killer = killer
    this.#clock = clock
  }

  get count(): number {
    return this.#entries.size
  }

  /** Fails with 216 while a request of the same id is running, with 394 when it was sent before a
   *  kill that has been answered: while this process stood still, both can have come to lie in
   *  their sockets, and nobody waits for the request any more. */
  begin(id: string, options: { timeoutS: number; sent: Sent | undefined }): Running {
    const { timeoutS, sent } = options
    const fence = this.#fences.get(id)
    if (sent !== undefined && fence !== undefined && isSentBefore(sent, fence)) throw cancelled()
    if (this.#entries.has(id))
      throw new EngineError(
        216,
        'A query with this id is already running',
        'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING',
      )
    const controller = new AbortController()
    const entry: Entry = { controller, isAtEngine: false, isOver: false }
    this.#entries.set(id, entry)
    const late = setTimeout(() => {
      controller.abort(new EngineError(159, 'Timeout exceeded while waiting', 'TIMEOUT_EXCEEDED'))
    }, timeoutS * 1000)
    return {
      id,
      signal: controller.signal,
      started: () => {
        entry.isAtEngine = true
        clearTimeout(late)
      },
      ended: () => {
        clearTimeout(late)
        entry.isOver = true
        this.#entries.delete(id)
      },
    }
  }

  /** Requests of this id that were sent before never begin. */
  fence(id: string, sent: Sent): void {
    this.#fences.delete(id)
    this.#fences.set(id, sent)
    const [oldest] = this.#fences.keys()
    if (this.#fences.size > MAX_FENCES && oldest !== undefined) this.#fences.delete(oldest)
  }

  /** Resolves when the request is over, or after 10 s. A statement may not be known to the engine
   *  yet, so the kill is repeated. */
  async cancel(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    entry.controller.abort(cancelled())
    for (let i = 0; i < MAX_KILLS && !entry.isOver; i++) {
      if (entry.isAtEngine) await this.#kill(id)
      if (!entry.isOver) await this.#clock.sleep(KILL_PAUSE_MS)
    }
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.cancel(id)))
  }

  async #kill(id: string): Promise<void> {
    const sql = `KILL QUERY WHERE Settings['log_comment'] = ${sqlString(id)} ASYNC FORMAT Null`
    // Fails with "cannot kill" while the query is just ending: the next round sees it.
    await this.killer(sql).catch(() => undefined)
  }
}

function cancelled(): EngineError {
  return new EngineError(394, 'Query was cancelled', 'QUERY_WAS_CANCELLED')
}
