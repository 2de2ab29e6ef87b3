// Holds the writer between two batches: while it is held no batch is on its way to the store, and
// no position moves. A backup needs that for a moment; senders notice nothing, since blocks wait in
// the event log.
import type { Clock } from '../../infra/clock.ts'
import { Failure } from '../../schemas/failures.ts'
import { Stopped } from './keep-trying.ts'

const LOOK_MS = 5
/** A batch that the store does not take keeps the gate open. */
const HOLD_LIMIT_MS = 30_000

export class BatchGate {
  readonly #clock: Pick<Clock, 'elapsedMs' | 'sleep'>
  #inside = 0
  #holds = 0

  constructor(clock: Pick<Clock, 'elapsedMs' | 'sleep'>) {
    this.#clock = clock
  }

  /** Fails with Stopped when the signal aborts before it is let through. */
  async enter(signal: AbortSignal): Promise<void> {
    while (this.#holds > 0) {
      if (signal.aborted) throw new Stopped('the writer was stopped')
      await this.#clock.sleep(LOOK_MS, signal)
    }
    this.#inside += 1
  }

  leave(): void {
    this.#inside -= 1
  }

  async pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.enter(signal)
    return await work().finally(() => this.leave())
  }

  /** Resolves when no batch is on its way, with what lets them through again. Fails with
   *  store.unavailable, and when the signal aborts. */
  async hold(signal: AbortSignal): Promise<() => void> {
    this.#holds += 1
    let isHeld = true
    const release = () => {
      if (isHeld) this.#holds -= 1
      isHeld = false
    }
    try {
      const beganMs = this.#clock.elapsedMs()
      while (this.#inside > 0) {
        signal.throwIfAborted()
        if (this.#clock.elapsedMs() - beganMs > HOLD_LIMIT_MS)
          throw new Failure('store.unavailable')
        await this.#clock.sleep(LOOK_MS, signal)
      }
      return release
    } catch (error) {
      release()
      throw error
    }
  }
}
