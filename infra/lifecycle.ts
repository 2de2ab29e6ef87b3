// What a process has opened, stopped in reverse order, each within its own limit: one that hangs
// does not keep the others from closing.
import type { Clock } from './clock.ts'
import { describeError, type Logger } from './logger.ts'

/** Milliseconds; a function is asked when the stop of the part begins. */
type Limit = number | (() => number)
type Part = { name: string; stop: () => Promise<void> | void; limitMs: Limit }

export class Lifecycle {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #parts: Part[] = []
  #stopped: Promise<void> | undefined

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
  }

  /** To be called as soon as the thing is open. After a stop has begun it is stopped at once. */
  add(name: string, stop: () => Promise<void> | void, limitMs: Limit = 1000): void {
    const part = { name, stop, limitMs }
    if (this.#stopped === undefined) this.#parts.push(part)
    else this.#stopped = this.#stopped.then(() => this.#stopPart(part))
  }

  /** Never fails: what cannot be stopped is logged. Further calls wait for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll()
    return this.#stopped
  }

  async #stopAll(): Promise<void> {
    for (const part of this.#parts.toReversed()) await this.#stopPart(part)
  }

  async #stopPart(part: Part): Promise<void> {
    const begin = this.#clock.elapsedMs()
    const over = new AbortController()
    const limitMs = typeof part.limitMs === 'number' ? part.limitMs : part.limitMs()
    const limit = this.#clock.sleep(limitMs, over.signal).then(() => 'late' as const)
    try {
      const outcome = await Promise.race([Promise.resolve(part.stop()).then(() => 'done'), limit])
      const ms = Math.round(this.#clock.elapsedMs() - begin)
      if (outcome === 'late') this.#logger.warn('stop took too long', { part: part.name, ms })
      else this.#logger.debug('stopped', { part: part.name, ms })
    } catch (error) {
      this.#logger.warn('stop failed', { part: part.name, ...describeError(error) })
    } finally {
      over.abort()
    }
  }
}
