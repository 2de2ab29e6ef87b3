// Keys (names, addresses) for which a sign-in failed in the last quarter of an hour.
import type { Clock } from '../clock.ts'

const REMEMBERED_MS = 15 * 60_000
const MAX_KEYS = 50_000

export class RecentFailures {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  /** In the order of their last failure: the oldest goes first. */
  readonly #untilMs = new Map<string, number>()

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock
  }

  has(key: string): boolean {
    const untilMs = this.#untilMs.get(key)
    return untilMs !== undefined && this.#clock.elapsedMs() < untilMs
  }

  add(key: string): void {
    this.#untilMs.delete(key)
    const oldest = this.#untilMs.keys().next()
    if (this.#untilMs.size >= MAX_KEYS && !oldest.done) this.#untilMs.delete(oldest.value)
    this.#untilMs.set(key, this.#clock.elapsedMs() + REMEMBERED_MS)
  }

  forget(key: string): void {
    this.#untilMs.delete(key)
  }
}
