// When a batch is closed. Each insert makes parts that cost syncs and a merge, whatever its rows:
// the store spends at most a quarter of the time on inserts of batches that are not full. Under
// light load an insert takes some 30 ms, so an event is searchable in a fraction of a second; under
// load it takes longer, batches grow and the syncs leave the disk to the event log.

/** Share of the time between the starts of two inserts. */
const INSERT_SHARE = 1 / 4
const LEAST_INTERVAL_MS = 100
const MOST_INTERVAL_MS = 1000

/** Milliseconds that the batch may still grow; 0 or less: close it. `sinceInsertMs`: since the last
 *  insert began; `insertMs`: what it took. */
export function remainingMs(sinceInsertMs: number, insertMs: number): number {
  const interval = Math.min(MOST_INTERVAL_MS, Math.max(LEAST_INTERVAL_MS, insertMs / INSERT_SHARE))
  return interval - sinceInsertMs
}
