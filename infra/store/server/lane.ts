// Hands out sessions, one statement at a time each; a bounded queue waits in order of arrival.
import { EngineError } from './engine-error.ts'

type Waiter<T> = { readonly isUrgent: boolean; readonly take: (item: T) => void }

export class Lane<T> {
  readonly #free: T[]
  readonly #waiting: Waiter<T>[] = []
  readonly #reserved: number
  readonly #maxWaiting: number

  /** `reserved` items are kept for urgent askers. */
  constructor(items: readonly T[], options: { reserved: number; maxWaiting: number }) {
    this.#free = [...items]
    this.#reserved = options.reserved
    this.#maxWaiting = options.maxWaiting
  }

  /** Fails with 202 when too many wait, with the signal's reason when it aborts first. */
  acquire(options: { signal: AbortSignal; isUrgent?: boolean }): Promise<T> {
    const { signal, isUrgent = false } = options
    if (signal.aborted) return Promise.reject(signal.reason)
    if (this.#waiting.length >= this.#maxWaiting)
      return Promise.reject(
        new EngineError(202, 'Too many statements wait', 'TOO_MANY_SIMULTANEOUS_QUERIES'),
      )
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(signal.reason)
      }
      const waiter: Waiter<T> = {
        isUrgent,
        take: (item) => {
          signal.removeEventListener('abort', leave)
          resolve(item)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiter)
      this.#serve()
    })
  }

  release(item: T): void {
    this.#free.push(item)
    this.#serve()
  }

  #serve(): void {
    for (;;) {
      const isScarce = this.#free.length <= this.#reserved
      const at = this.#waiting.findIndex((waiter) => waiter.isUrgent || !isScarce)
      const item = at === -1 ? undefined : this.#free.pop()
      if (item === undefined) return
      this.#waiting.splice(at, 1)[0]?.take(item)
    }
  }
}
