// The searches of this process that can be ended from outside (decision 4.7). A cancel that reaches
// another query process is a row in the database: every process that has such searches looks for
// new ones, also for those that still wait for their turn, and counts there what it has ended, so
// that who cancels can be told.
import { createHash } from 'node:crypto'
import type { Clock } from '../../infra/clock.ts'
import type { Database } from '../../infra/database/port.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import {
  addCancel,
  cancelsAfter,
  countFound,
  lastCancelId,
  readFound,
} from '../../infra/metastore/searches/search-cancels.ts'

const LOOK_EVERY_MS = 200
/** Long enough for every process to have looked, a busy one too. */
const FOUND_WITHIN_MS = 2000
const FOUND_PAUSE_MS = 40

export type CancellableSearch = {
  readonly userId: number
  readonly searchKeys: readonly string[]
  /** Must not throw. */
  readonly stop: () => void
}

type Entry = CancellableSearch & { seenCancel: number; isStopped: boolean }

/** What a search is known by; no text of the caller's, and no secret. */
export function searchIdKey(searchId: string): string {
  return `id ${createHash('sha256').update(searchId).digest('hex')}`
}

export function tokenKey(tokenHash: string): string {
  return `token ${tokenHash}`
}

export class RunningSearches {
  readonly #database: Database
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #running = new Set<Entry>()
  #isLooking = false

  constructor(deps: { database: Database; clock: Clock; logger: Logger }) {
    this.#database = deps.database
    this.#clock = deps.clock
    this.#logger = deps.logger
  }

  /** Returns the remover. Cancels that were made before this call do not count. */
  async add(search: CancellableSearch): Promise<() => void> {
    const seenCancel = await lastCancelId(this.#database)
    const entry = { ...search, seenCancel, isStopped: false }
    this.#running.add(entry)
    if (!this.#isLooking) void this.#lookWhileRunning()
    return () => this.#running.delete(entry)
  }

  /** Ends the searches of this key, in every process: the user's, or everybody's. How many were
   *  found. */
  async cancel(searchKey: string, userId: number | 'all'): Promise<number> {
    const startedMs = this.#clock.elapsedMs()
    const { id, here } = await this.tell(searchKey, userId)
    let found = here
    while (found === 0 && this.#clock.elapsedMs() - startedMs < FOUND_WITHIN_MS) {
      await this.#clock.sleep(FOUND_PAUSE_MS)
      found = await readFound(this.#database, id)
    }
    return found
  }

  /** As `cancel`, without waiting for the other processes; `here` is how many were found in this
   *  one. */
  async tell(searchKey: string, userId: number | 'all'): Promise<{ id: number; here: number }> {
    const here = this.#stop(searchKey, userId, Number.POSITIVE_INFINITY)
    const id = await addCancel(this.#database, this.#clock, {
      searchKey,
      userId: userId === 'all' ? null : userId,
      found: here,
    })
    return { id, here }
  }

  /** Ends with the last search that can be named. */
  async #lookWhileRunning(): Promise<void> {
    this.#isLooking = true
    try {
      while (this.#running.size > 0) {
        await this.#clock.sleep(LOOK_EVERY_MS)
        await this.#look().catch((error: unknown) =>
          this.#logger.warn('cancels of searches not read', describeError(error)),
        )
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #look(): Promise<void> {
    const seen = Math.min(...[...this.#running].map((entry) => entry.seenCancel))
    if (!Number.isFinite(seen)) return
    for (const cancel of await cancelsAfter(this.#database, seen)) {
      const found = this.#stop(cancel.searchKey, cancel.userId ?? 'all', cancel.id)
      for (const entry of this.#running) entry.seenCancel = Math.max(entry.seenCancel, cancel.id)
      if (found > 0) await countFound(this.#database, cancel.id, found)
    }
  }

  #stop(searchKey: string, userId: number | 'all', cancelId: number): number {
    let count = 0
    for (const entry of this.#running) {
      if (entry.isStopped || entry.seenCancel >= cancelId) continue
      if (!entry.searchKeys.includes(searchKey)) continue
      if (userId !== 'all' && entry.userId !== userId) continue
      entry.isStopped = true
      entry.stop()
      count += 1
    }
    return count
  }
}
