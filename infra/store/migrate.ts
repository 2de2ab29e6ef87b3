// Brings the store's tables up to date: numbered steps, each idempotent, each recorded when done.
// A step is never changed after a release; a crash between a step and its record runs the step again.
import {
  CREATE_COUNTS,
  CREATE_EVENTS,
  CREATE_IDEMPOTENCY,
  CREATE_RESULTS,
} from '../../schemas/store/tables.ts'
import type { Store } from './port.ts'

const STEPS: readonly { readonly number: number; readonly sql: string }[] = [
  { number: 1, sql: CREATE_EVENTS },
  { number: 2, sql: CREATE_COUNTS },
  { number: 3, sql: CREATE_IDEMPOTENCY },
  { number: 4, sql: CREATE_RESULTS },
]

const CREATE_MIGRATIONS =
  'CREATE TABLE IF NOT EXISTS migrations (`number` UInt32) ENGINE = MergeTree ORDER BY number SETTINGS fsync_after_insert = 1, fsync_part_directory = 1'

/** Fails with store.unavailable while the store does not answer; may be called again. */
export async function migrateStore(store: Store): Promise<void> {
  await store.command({ sql: CREATE_MIGRATIONS })
  const rows = await store.query<{ number: number }>({
    sql: 'SELECT DISTINCT number FROM migrations',
  })
  const done = new Set(rows.map((row) => row.number))
  for (const { number, sql } of STEPS) {
    if (done.has(number)) continue
    await store.command({ sql })
    await store.command({ sql: `INSERT INTO migrations VALUES (${number})` })
  }
}
