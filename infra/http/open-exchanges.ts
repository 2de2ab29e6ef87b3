// What a server has open, so that a stop can wait for it. From `begin` to `end` of each request;
// shared by raw routes and the bridge.
export class OpenExchanges {
  #count = 0
  #isStopping = false
  #onEmpty: (() => void) | undefined

  get count(): number {
    return this.#count
  }

  /** Then each answer also closes its connection. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  begin(): void {
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
    if (this.#count === 0) this.#onEmpty?.()
  }

  /** Resolves when nothing is open, or when the signal aborts. */
  drain(signal: AbortSignal): Promise<void> {
    this.#isStopping = true
    if (this.#count === 0 || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}
