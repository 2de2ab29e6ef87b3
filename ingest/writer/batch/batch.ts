// One batch, ready for the store: what the events, counters and key rows of a range are.
import type { Count } from '../counts/count-sums.ts'
import type { Range } from '../cursor.ts'
import type { RequestKey } from '../keys/idempotency-window.ts'
import type { Sequences } from '../position-state.ts'
import type { RowStats } from './row-builder.ts'

/** Rows of one table partition of `events`: one part, there whole or not at all. `day` counts from
 *  1970, UTC. */
export type Unit = { readonly policyId: number; readonly day: number; readonly rows: number }

export type LogCount = Omit<Count, 'slot'> & {
  readonly logId: number
  readonly policyId: number
}

export type Batch = {
  readonly range: Range
  readonly rows: number
  /** Native block of the table `events`; valid until the next build with the same output buffer. */
  readonly events: Uint8Array
  readonly units: readonly Unit[]
  readonly counts: readonly LogCount[]
  readonly keys: readonly RequestKey[]
  /** After the range. */
  readonly sequences: Sequences
  readonly stats: Readonly<RowStats>
  /** Values that became no column (decision 3.5), by log: its path. */
  readonly refusedColumns: ReadonlyMap<string, number>
  /** Logs that have no room for the words of a type, by path (decision 3.9). */
  readonly fullOfTypes: readonly string[]
  readonly maxLogId: number
  /** Time of receipt of the oldest request. */
  readonly oldestReceivedMs: number
}
