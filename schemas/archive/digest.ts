// Digests of rows of `events` that do not depend on their order or their parts: SQL, over any table
// with its columns (docs/decisions/0108).
import { EVENT_COLUMNS } from '../event-row.ts'

/** Where the rows come from: none is there twice, so equal digests of equally many rows are the
 *  same rows. Reads three small columns. */
export const PLACES_DIGEST = 'toString(groupBitXor(sipHash64(partition, `offset`, `index`)))'

const NAMES = EVENT_COLUMNS.map(({ name }) => name).filter((name) => name !== 'policy')
const contentsDigest = (columns: string) =>
  `toString(groupBitXor(sipHash64(${NAMES.map((name) => (name === 'columns' ? columns : `\`${name}\``)).join(', ')})))`

/** All that the rows hold but the policy that they lie under. Equal ones are of equal rows; those
 *  of equal rows may differ, since an object's paths are stored in two ways. */
export const STORED_DIGEST = contentsDigest("formatRowNoNewline('RowBinary', columns)")

/** As above, and equal for equal rows. Takes ten times as long. */
export const CONTENTS_DIGEST = contentsDigest('toString(columns)')

/** As the digest of both, of rows that are in one of them only. */
export function joinDigests(digests: readonly string[]): string {
  return digests.reduce((sum, digest) => sum ^ BigInt(digest), 0n).toString()
}
