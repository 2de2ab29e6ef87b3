// Requests whose token memory does not know. It may have been made a moment ago by another process:
// the database is asked before they are refused, once for all who ask within a moment, so that a
// flood of wrong tokens is no flood of questions.
import type { Clock } from '../../../infra/clock.ts'
import type { Accounts } from './find-account.ts'

const GATHER_MS = 50
/** Who comes when so many wait is refused by what memory knows. */
const MAX_WAITING = 64

export class Newcomers {
  readonly #metastore: Accounts
  readonly #clock: Pick<Clock, 'sleep'>
  #waiting = 0
  #next: Promise<void> | undefined

  constructor(deps: { metastore: Accounts; clock: Pick<Clock, 'sleep'> }) {
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

  async #lookSoon(): Promise<void> {
    await this.#clock.sleep(GATHER_MS)
    this.#next = undefined
    // Memory says itself that it may be behind.
    await this.#metastore.refresh().catch(() => undefined)
  }
}
