// Rows that come in batches.

/** All rows. */
export async function collect(rows: AsyncIterable<unknown[][]>): Promise<unknown[][]> {
  const all: unknown[][] = []
  for await (const batch of rows) all.push(...batch)
  return all
}
