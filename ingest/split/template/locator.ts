// Where the addresses of `{geoip}` columns are (docs/decisions/0038). The last addresses are
// remembered, also those that are nowhere.
import { type Located, MmdbReader } from '../../patterns/values/mmdb-reader.ts'
import { parseAddress } from '../source-address.ts'

const MAX_KEPT = 20_000

export type Locate = (address: string) => Located | undefined

/** `bytes`: an MMDB file. Throws RangeError for what is none. */
export function makeLocator(bytes: Buffer): Locate {
  const reader = new MmdbReader(bytes)
  const kept = new Map<string, Located | undefined>()
  return (address) => {
    if (kept.has(address)) return kept.get(address)
    const parsed = parseAddress(address)
    const located = parsed === null ? undefined : reader.locate(parsed)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(address, located)
    return located
  }
}
