// Places for work that may only run so many at a time; the rest waits, served round robin over its
// owners, so that one owner's hundred waiting searches delay another's first one by one (decision
// 4.8). An owner may be kept from holding all places, so that the long work of one never shuts the
// others out.

type Waiter = { readonly owner: string; readonly start: () => void; readonly refuse: () => void }

export class FairQueue {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  readonly #maxRunningOfOne: number
  readonly #runningOf = new Map<string, number>()
  /** Owners with waiters, in the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  #waitingCount = 0
  #runningCount = 0

  /** `maxRunningOfOne`: places of one owner at once; default all. */
  constructor(limits: { maxRunning: number; maxWaiting: number; maxRunningOfOne?: number }) {
    this.#maxRunning = limits.maxRunning
    this.#maxWaiting = limits.maxWaiting
    this.#maxRunningOfOne = limits.maxRunningOfOne ?? limits.maxRunning
  }

  get running(): number {
    return this.#runningCount
  }

  get waiting(): number {
    return this.#waitingCount
  }

  /** Waits for a place; the answer gives it back and must be called once. 'full': no room to wait,
   *  or pushed out for an owner with fewer waiting; 'aborted': the signal came first. */
  async enter(owner: string, signal?: AbortSignal): Promise<(() => void) | 'full' | 'aborted'> {
    if (signal?.aborted) return 'aborted'
    if (this.#runningCount < this.#maxRunning && this.#mayRun(owner)) return this.#take(owner)
    if (this.#waitingCount >= this.#maxWaiting && !this.#pushOutFor(owner)) return 'full'
    return new Promise((resolve) => {
      const onAbort = () => {
        if (this.#remove(waiter)) resolve('aborted')
      }
      const waiter: Waiter = {
        owner,
        start: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve(this.#take(owner))
        },
        refuse: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve('full')
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const own = this.#waiting.get(owner)
      if (own === undefined) this.#waiting.set(owner, [waiter])
      else own.push(waiter)
      this.#waitingCount += 1
    })
  }

  #mayRun(owner: string): boolean {
    return (this.#runningOf.get(owner) ?? 0) < this.#maxRunningOfOne
  }

  #take(owner: string): () => void {
    this.#runningCount += 1
    this.#runningOf.set(owner, (this.#runningOf.get(owner) ?? 0) + 1)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#runningCount -= 1
      const left = (this.#runningOf.get(owner) ?? 1) - 1
      if (left === 0) this.#runningOf.delete(owner)
      else this.#runningOf.set(owner, left)
      this.#startNext()
    }
  }

  #startNext(): void {
    while (this.#runningCount < this.#maxRunning) {
      const owner = this.#nextOwner()
      if (owner === undefined) return
      const waiters = this.#waiting.get(owner) ?? []
      const waiter = waiters.shift()
      // The owner goes to the end of the round.
      this.#waiting.delete(owner)
      if (waiters.length > 0) this.#waiting.set(owner, waiters)
      if (waiter === undefined) continue
      this.#waitingCount -= 1
      waiter.start()
    }
  }

  #nextOwner(): string | undefined {
    for (const owner of this.#waiting.keys()) if (this.#mayRun(owner)) return owner
    return undefined
  }

  /** Makes room at the cost of the newest waiter of the owner with most, if that one has more than
   *  `owner` would have. */
  #pushOutFor(owner: string): boolean {
    let most: Waiter[] = []
    for (const waiters of this.#waiting.values()) if (waiters.length > most.length) most = waiters
    const ownCount = this.#waiting.get(owner)?.length ?? 0
    const victim = most.at(-1)
    if (victim === undefined || most.length <= ownCount + 1) return false
    this.#remove(victim)
    victim.refuse()
    return true
  }

  #remove(waiter: Waiter): boolean {
    const waiters = this.#waiting.get(waiter.owner)
    const index = waiters?.indexOf(waiter) ?? -1
    if (waiters === undefined || index === -1) return false
    waiters.splice(index, 1)
    if (waiters.length === 0) this.#waiting.delete(waiter.owner)
    this.#waitingCount -= 1
    return true
  }
}
