// Space that is left free on the disk (decision 2.9): ingest is refused below it; searches stop
// earlier, so that they never take it.
import { readDiskSpaceSync } from './disk-space.ts'

const DEFAULT_SHARE = 0.05
const MAX_DEFAULT_BYTES = 2 * 1024 ** 3
const MAX_INSERT_RESERVE_BYTES = 100_000_000

/** `configured` absent: the smaller of 5 % of the disk and 2 GiB. */
export function diskReserveBytes(totalBytes: number, configured: number | undefined): number {
  return configured ?? Math.min(totalBytes * DEFAULT_SHARE, MAX_DEFAULT_BYTES)
}

/** What searches leave free, for stored results and what they put aside while they run: twice the
 *  reserve of ingest. */
export function searchReserveBytes(config: {
  readonly dataDir: string
  readonly listener: { readonly diskReserveBytes?: number | undefined }
}): number {
  const { totalBytes } = readDiskSpaceSync(config.dataDir)
  return Math.ceil(2 * diskReserveBytes(totalBytes, config.listener.diskReserveBytes))
}

/** What inserts of the embedded store leave free: less than the listener, so that what it has taken
 *  can be stored. */
export function insertReserveBytes(directory: string): number {
  const { totalBytes } = readDiskSpaceSync(directory)
  const half = Math.floor(diskReserveBytes(totalBytes, undefined) / 2)
  return Math.min(MAX_INSERT_RESERVE_BYTES, half)
}
