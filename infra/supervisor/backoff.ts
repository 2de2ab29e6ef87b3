// When a process that ended is started again: the first time at once, then after waits that double,
// from the beginning after 30 s of life. Whatever kills a process that ran, its users wait for it:
// no more than half a second. One that never came up is not wanted that soon.
const FIRST_DELAY_MS = { ran: 50, neverRan: 200 } as const
const MAX_DELAY_MS = { ran: 500, neverRan: 5000 } as const
const LONG_LIFE_MS = 30_000

export type Life = 'ran' | 'neverRan'

export class Backoff {
  #nextDelayMs = 0

  /** Milliseconds to wait, after a life of `livedMs`. */
  next(livedMs: number, life: Life): number {
    if (livedMs >= LONG_LIFE_MS) this.#nextDelayMs = 0
    const delayMs = Math.min(MAX_DELAY_MS[life], this.#nextDelayMs)
    this.#nextDelayMs = Math.max(FIRST_DELAY_MS[life], delayMs * 2)
    return delayMs
  }
}
