// Ranks of priorities (search-language#priorities), folded.

const RANKS: ReadonlyMap<string, number> = new Map([
  ['trace', 1],
  ['debug', 2],
  ['info', 3],
  ['notice', 4],
  ['warn', 5],
  ['warning', 5],
  ['error', 6],
  ['severe', 7],
  ['critical', 7],
  ['alert', 8],
  ['fatal', 9],
  ['emergency', 9],
])

export function priorityRank(folded: string): number | undefined {
  return RANKS.get(folded)
}

/** The rank of a folded text, 0 for a text that is not a priority. */
export function rankSql(folded: string): string {
  const names = [...RANKS.keys()].map((name) => `'${name}'`).join(', ')
  return `transform(${folded}, [${names}], [${[...RANKS.values()].join(', ')}], 0)`
}
