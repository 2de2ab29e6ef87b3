// Requests whose token memory does not know. It may have been made a moment ago by another process:
// the database is asked before they are refused, once for all that ask within a moment, so that a
// flood of wrong tokens is no flood of questions.
import type { Clock } from '../../../infra/clock.ts'
import type { Accounts } from './find-account.ts'
import type { ListenerFailureCode } from './outcome.ts'

const GATHER_MS = 50
/** Requests that come when so many wait are not taken in meanwhile. */
const MAX_WAITING = 64
/** A refused sender repeats within it. */
const REMEMBERED_MS = 60_000
const MAX_REMEMBERED = 1000

export class Newcomers {
  readonly #metastore: Accounts
  readonly #clock: Pick<Clock, 'sleep' | 'elapsedMs'>
  #waiting = 0
  #next: Promise<void> | undefined
  /** Tokens of requests that did not wait for the next answer of the database. */
  #asking = new Set<string>()
  /** Those that it did not know, the oldest first, and until when that counts. */
  readonly #unknown = new Map<string, number>()

  constructor(deps: { metastore: Accounts; clock: Pick<Clock, 'sleep' | 'elapsedMs'> }) {
    this.#metastore = deps.metastore
    this.#clock = deps.clock
  }

  /** A place, to be left once or more often; undefined: there is none. */
  enter(): (() => void) | undefined {
    if (this.#waiting >= MAX_WAITING) return undefined
    this.#waiting += 1
    let isIn = true
    return () => {
      if (isIn) this.#waiting -= 1
      isIn = false
    }
  }

  /** Resolves when memory knows what the database knew at this call, or when the database does not
   *  answer. */
  look(): Promise<void> {
    this.#next ??= this.#lookSoon()
    return this.#next
  }

  /** What to tell a request that cannot wait. Its token may be new, so it is to repeat, and the
   *  database is asked meanwhile; it is refused for good when that was done. */
  refuse(token: string): ListenerFailureCode {
    const untilMs = this.#unknown.get(token)
    if (untilMs !== undefined && this.#clock.elapsedMs() < untilMs) return 'listener.token_invalid'
    if (this.#asking.size < MAX_REMEMBERED) this.#asking.add(token)
    void this.look()
    return 'listener.accounts_unavailable'
  }

  async #lookSoon(): Promise<void> {
    await this.#clock.sleep(GATHER_MS)
    this.#next = undefined
    const asked = this.#asking
    this.#asking = new Set()
    try {
      await this.#metastore.refresh()
    } catch {
      // Memory says itself that it may be out of date.
      return
    }
    for (const token of asked) this.#remember(token)
  }

  #remember(token: string): void {
    this.#unknown.delete(token)
    const oldest = this.#unknown.keys().next()
    if (this.#unknown.size >= MAX_REMEMBERED && !oldest.done) this.#unknown.delete(oldest.value)
    this.#unknown.set(token, this.#clock.elapsedMs() + REMEMBERED_MS)
  }
}
