// The searches of this process that can be ended from outside (decision 4.7), and the names by which the store knows them, so
// that a cancel that reaches another query process finds them, too.
import { createHash } from 'node:crypto'
import type { Clock } from '../../infra/clock.ts'
import type { Store } from '../../infra/store/port.ts'

type Running = { readonly userId: number; readonly searchId: string; readonly stop: () => void }

const UNNAMED = 'unnamed'

/** `search-<user>-<hash of searchId>-<random>`: unguessable, and no text of the caller's. */
export function makeQueryId(
  userId: number,
  searchId: string | undefined,
  clock: Pick<Clock, 'randomBytes'>,
): string {
  const named = searchId === undefined ? UNNAMED : hashOf(searchId)
  return `search-${userId}-${named}-${clock.randomBytes(12).toString('hex')}`
}

function hashOf(searchId: string): string {
  return createHash('sha256').update(searchId).digest('hex').slice(0, 32)
}

export class RunningSearches {
  readonly #store: Store
  readonly #running = new Set<Running>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Returns the remover. `stop` must not throw. */
  add(running: Running): () => void {
    this.#running.add(running)
    return () => this.#running.delete(running)
  }

  /** Ends the caller's searches of this id, or everybody's. How many were found, here and in the store. */
  async cancel(searchId: string, userId: number | 'all', timeoutMs: number): Promise<number> {
    let count = 0
    for (const running of this.#running) {
      if (running.searchId !== searchId) continue
      if (userId !== 'all' && running.userId !== userId) continue
      running.stop()
      count += 1
    }
    return count > 0 ? count : this.#cancelElsewhere(searchId, userId, timeoutMs)
  }

  async #cancelElsewhere(
    searchId: string,
    userId: number | 'all',
    timeoutMs: number,
  ): Promise<number> {
    const user = userId === 'all' ? '[0-9]+' : String(userId)
    // The embedded engine gives a query an id of its own and carries ours as its comment.
    const rows = await this.#store.query<{ id: string }>({
      sql: "SELECT DISTINCT arrayJoin([query_id, Settings['log_comment']]) AS id FROM system.processes WHERE match(id, {pattern:String})",
      settings: { priority: 1 },
      params: { pattern: `^search-${user}-${hashOf(searchId)}-[0-9a-f]{24}(-count)?$` },
      timeoutMs,
    })
    await Promise.all(rows.map((row) => this.#store.kill(row.id)))
    return rows.length
  }
}
