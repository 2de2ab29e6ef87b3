// Moves of partitions that are under way. What takes rows of the table away waits for their end:
// until then there are links to the parts of before, which a start would put back.

const TAKES =
  /^(?:ALTER\s+TABLE\s+`?(\w+)`?\s+(?:DROP|DELETE|UPDATE|DETACH|REPLACE|CLEAR)|TRUNCATE\s+TABLE\s+`?(\w+)`?|DELETE\s+FROM\s+`?(\w+)`?)/i

export class Moves {
  /** By table; each settles without a failure. */
  readonly #running = new Map<string, Set<Promise<unknown>>>()

  async during<Result>(table: string, move: () => Promise<Result>): Promise<Result> {
    const moving = move()
    const ended = moving.catch(() => undefined)
    const all = this.#running.get(table) ?? new Set()
    this.#running.set(table, all.add(ended))
    try {
      return await moving
    } finally {
      all.delete(ended)
    }
  }

  /** Resolves when the statement may run; fails with the signal's reason when it aborts first. */
  async mayTake(sql: string, signal: AbortSignal): Promise<void> {
    const table = TAKES.exec(sql)?.slice(1).find(Boolean) ?? ''
    for (let all = this.#running.get(table); all !== undefined && all.size > 0; )
      await within(Promise.all(all), signal)
  }
}

async function within(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let leave = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  await Promise.race([work, left]).finally(() => signal.removeEventListener('abort', leave))
}
