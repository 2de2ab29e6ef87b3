// A few at once; who waits gets the next place, in order. Who has one gives it up when its time is
// over and somebody waits.
import type { Clock } from '../../../infra/clock.ts'

const LOOK_EVERY_MS = 500

export class Turns {
  #free: number
  readonly #waiting: ((isMine: boolean) => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** undefined: the signal was first. `end` at the end. */
  async take(signal: AbortSignal): Promise<{ end(): void } | undefined> {
    if (signal.aborted) return undefined
    if (this.#free > 0) this.#free -= 1
    else if (!(await this.#wait(signal))) return undefined
    return { end: () => this.#give() }
  }

  /** Aborts when the time is over and somebody waits; looks until `until` aborts. */
  watch(clock: Clock, turnMs: number, until: AbortSignal): AbortSignal {
    const over = new AbortController()
    const endMs = clock.elapsedMs() + turnMs
    const look = async () => {
      while (!until.aborted && !over.signal.aborted) {
        if (clock.elapsedMs() >= endMs && this.#waiting.length > 0) over.abort()
        else await clock.sleep(LOOK_EVERY_MS, until)
      }
    }
    void look()
    return over.signal
  }

  #give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next(true)
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => {
        const at = this.#waiting.indexOf(done)
        if (at >= 0) this.#waiting.splice(at, 1)
        resolve(false)
      }
      const done = (isMine: boolean) => {
        signal.removeEventListener('abort', leave)
        resolve(isMine)
      }
      this.#waiting.push(done)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
