// What must end before the product may stop: answers that have not begun, and the ends of those
// that go on.

export class OpenWork {
  readonly #open = new Set<Promise<unknown>>()

  add(work: Promise<unknown>): void {
    const remove = () => void this.#open.delete(work)
    this.#open.add(work)
    // What fails is told by whoever asked for it.
    work.then(remove, remove)
  }

  /** Resolves when nothing is open: an answer that begins leaves its end. */
  async ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open)
  }
}
