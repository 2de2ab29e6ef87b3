// Moves of partitions, and what takes rows of a table away: never at the same time. A move has
// links to the parts of before, which a start puts back: what is taken meanwhile would come back.

const TAKES =
  /^(?:ALTER\s+TABLE\s+`?(\w+)`?\s+(?:DROP|DELETE|UPDATE|DETACH|REPLACE|CLEAR)|TRUNCATE\s+TABLE\s+`?(\w+)`?|DELETE\s+FROM\s+`?(\w+)`?)/i

type Work<Result> = () => Promise<Result>
/** By table; each settles without a failure. */
type Running = Map<string, Set<Promise<unknown>>>

export class Moves {
  readonly #moves: Running = new Map()
  readonly #takes: Running = new Map()

  /** `move` begins when nothing takes rows of the table away, also nothing that only waits for a
   *  free session. Fails with the signal's reason when it aborts first. */
  async during<Result>(table: string, signal: AbortSignal, move: Work<Result>): Promise<Result> {
    return await apart(table, signal, { own: this.#moves, others: this.#takes }, move)
  }

  /** What takes nothing away begins at once, else when no move of its table is under way. Fails as
   *  `during`. */
  async taking<Result>(sql: string, signal: AbortSignal, work: Work<Result>): Promise<Result> {
    const table = TAKES.exec(sql)?.slice(1).find(Boolean)
    if (table === undefined) return await work()
    return await apart(table, signal, { own: this.#takes, others: this.#moves }, work)
  }
}

async function apart<Result>(
  table: string,
  signal: AbortSignal,
  { own, others }: { readonly own: Running; readonly others: Running },
  work: Work<Result>,
): Promise<Result> {
  for (let all = others.get(table); all !== undefined && all.size > 0; all = others.get(table))
    await within(Promise.all(all), signal)
  // Noted in the same turn as the last look.
  const running = work()
  const ended = running.catch(() => undefined)
  const all = own.get(table) ?? new Set()
  own.set(table, all.add(ended))
  try {
    return await running
  } finally {
    all.delete(ended)
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
