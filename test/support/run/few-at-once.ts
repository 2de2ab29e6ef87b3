// Many calls that wait for a product more than they work.
const CALLS_AT_ONCE = 6

/** Calls `act` for each item, several at once. Rejects with the first error when all have ended. */
export async function forEachFewAtOnce<T>(
  items: readonly T[],
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const left = [...items.entries()]
  const caller = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await act(next[1], next[0])
  }
  const ended = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, caller))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
