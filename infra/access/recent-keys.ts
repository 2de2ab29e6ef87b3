// Keys (names, addresses, pairs of both) that were added within a period. Memory is bounded.
import type { Clock } from '../clock.ts'

const MAX_KEYS = 50_000

export class RecentKeys {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #periodMs: number
  /** Ordered by when a key was last added: the oldest is dropped first. */
  readonly #untilMs = new Map<string, number>()

  constructor(clock: Pick<Clock, 'elapsedMs'>, periodMs: number) {
    this.#clock = clock
    this.#periodMs = periodMs
  }

  has(key: string): boolean {
    const untilMs = this.#untilMs.get(key)
    return untilMs !== undefined && this.#clock.elapsedMs() < untilMs
  }

  add(key: string): void {
    this.#untilMs.delete(key)
    const oldest = this.#untilMs.keys().next()
    if (this.#untilMs.size >= MAX_KEYS && !oldest.done) this.#untilMs.delete(oldest.value)
    this.#untilMs.set(key, this.#clock.elapsedMs() + this.#periodMs)
  }

  forget(key: string): void {
    this.#untilMs.delete(key)
  }
}
