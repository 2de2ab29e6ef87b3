// The two tiers of the suite (docs/reference/testing.md): `npm test`, which needs nothing but Node,
// and `npm run test:all`, which sets LOGEYE_TEST_TIER=all and runs what needs tools or takes long.
export const isFullTier = process.env.LOGEYE_TEST_TIER === 'all'

/** The length of a series of random cases: a sample in `npm test`, the whole in `test:all`. */
export function series(short: number, long: number): number {
  return isFullTier ? long : short
}

const SAMPLE_SHARE = 3

/** All items in the full tier, else every third: another third for each of three tables in a row,
 * so that together they have all items. */
export function sampleOf<T>(items: readonly T[], table = 0): readonly T[] {
  return isFullTier ? items : items.filter((_, at) => (at + table) % SAMPLE_SHARE === 0)
}
