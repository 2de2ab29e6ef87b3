/** Results in the order of the items; `atOnce` calls of `work` at a time. Nothing begins after one
 *  rejected. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  // One iterator for all lanes; the loop of a lane that throws ends it.
  const rest = items.entries()
  const lane = async () => {
    for (const [at, item] of rest) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}
