/** Results in the order of the items; `atOnce` calls of `work` at a time. Nothing begins after one
 *  rejected, and it rejects when all have ended. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = [...items.entries()]
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, item] = next
      try {
        results[at] = await work(item, at)
      } catch (error) {
        left.length = 0
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, lane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return results
}
