// When a process that ended is started again: the first time at once, then after 0.2 s, doubling to 5 s; from the beginning after 30 s of life.
const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 5000
const LONG_LIFE_MS = 30_000

export class Backoff {
  #nextDelayMs = 0

  /** Milliseconds to wait, after a life of `livedMs`. */
  next(livedMs: number): number {
    if (livedMs >= LONG_LIFE_MS) this.#nextDelayMs = 0
    const delayMs = this.#nextDelayMs
    this.#nextDelayMs = Math.min(MAX_DELAY_MS, Math.max(FIRST_DELAY_MS, delayMs * 2))
    return delayMs
  }
}
