import { isFullTier } from './tier.ts'

const SHARE = 3

/** All items in the full tier, else every third: another third for each of three tables in a row, so
 *  that they have all items together. */
export function sampleOf<T>(items: readonly T[], table = 0): readonly T[] {
  return isFullTier ? items : items.filter((_, at) => (at + table) % SHARE === 0)
}
