// When a batch is closed: soon under light load, so that an event is searchable in well under a second; late under heavy
// load, since each insert makes parts that cost a sync and a merge.

/** Rows with which a batch counts as light. */
const LIGHT_ROWS = 3000
/** Between the starts of two inserts. */
const LIGHT_INTERVAL_MS = 200
const HEAVY_INTERVAL_MS = 700

/** Milliseconds that the batch may still grow; 0 or less: close it. `sinceInsertMs`: since the last insert began. */
export function remainingMs(rows: number, sinceInsertMs: number): number {
  const interval = rows < LIGHT_ROWS ? LIGHT_INTERVAL_MS : HEAVY_INTERVAL_MS
  return interval - sinceInsertMs
}
