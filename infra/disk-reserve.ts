// Space that is left free on the disk (decision 2.9): ingest is refused below it; searches stop earlier, so that they never take it.
import { statfsSync } from 'node:fs'

const DEFAULT_SHARE = 0.05
const MAX_DEFAULT_BYTES = 2 * 1024 ** 3

/** `configured` absent: the smaller of 5 % of the disk and 2 GiB. */
export function diskReserveBytes(totalBytes: number, configured: number | undefined): number {
  return configured ?? Math.min(totalBytes * DEFAULT_SHARE, MAX_DEFAULT_BYTES)
}

/** What searches leave free, for stored results and what they put aside while they run: twice the reserve of ingest. */
export function searchReserveBytes(config: {
  readonly dataDir: string
  readonly listener: { readonly diskReserveBytes?: number | undefined }
}): number {
  const { blocks, bsize } = statfsSync(config.dataDir)
  return Math.ceil(2 * diskReserveBytes(blocks * bsize, config.listener.diskReserveBytes))
}
