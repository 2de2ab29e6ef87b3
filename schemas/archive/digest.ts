// Digests of rows of `events` that do not depend on their order or their parts: SQL, over any table
// with its columns (docs/decisions/0108).
import { EVENT_COLUMNS } from '../event-row.ts'

/** Where the rows come from: none is there twice, so equal digests of equally many rows are the
 *  same rows. Reads three small columns. */
export const PLACES_DIGEST = 'toString(groupBitXor(sipHash64(partition, `offset`, `index`)))'

/** All that the rows hold but the policy that they lie under. Objects as text: their paths may be
 *  stored in two ways. */
export const CONTENTS_DIGEST = `toString(groupBitXor(sipHash64(${EVENT_COLUMNS.filter(
  ({ name }) => name !== 'policy',
)
  .map(({ name }) => (name === 'columns' ? 'toString(columns)' : `\`${name}\``))
  .join(', ')})))`

/** As the digest of both, of rows that are in one of them only. */
export function joinDigests(digests: readonly string[]): string {
  return digests.reduce((sum, digest) => sum ^ BigInt(digest), 0n).toString()
}
