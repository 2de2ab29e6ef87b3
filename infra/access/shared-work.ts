// Work that several wait for: it ends early when the last of them has gone.

export class SharedWork<Value> {
  readonly #left = new AbortController()
  readonly #done: Promise<Value>
  #waiting = 0

  constructor(work: (signal: AbortSignal) => Promise<Value>) {
    this.#done = work(this.#left.signal)
    // Each who waits meets its failure.
    this.#done.catch(() => undefined)
  }

  /** Nobody waits any more: whoever comes now begins anew. */
  get isLeft(): boolean {
    return this.#left.signal.aborted
  }

  /** Rejects with the reason of `signal` as soon as it aborts. */
  async wait(signal?: AbortSignal): Promise<Value> {
    this.#waiting += 1
    let leave = () => {}
    const gone = new Promise<never>((_, reject) => {
      leave = () => reject(signal?.reason)
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
    })
    try {
      return await Promise.race([this.#done, gone])
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#waiting -= 1
      if (this.#waiting === 0) this.#left.abort()
    }
  }
}
