// What a search is compiled from. The shapes of the metastore's records, so that this folder knows
// none of it.
import type { MaskTarget } from '../../schemas/masking/mask-rule.ts'
import type { Warning } from '../../schemas/warning.ts'
import type { Edit } from './check/edit.ts'
import type { Arrived } from './event-place.ts'
import type { Query } from './tree.ts'

/** A log that the user may see. Shape of infra/metastore LogRecord. */
export type SearchableLog = {
  readonly id: number
  readonly folder: readonly string[]
  readonly name: string
  readonly appTags: readonly string[]
  readonly typeWords: readonly string[]
}

/** Shape of infra/metastore ColumnRecord. */
export type KnownColumn = {
  readonly logId: number
  readonly name: string
  readonly kind: 'text' | 'number' | 'bool' | 'id'
  readonly position: number
}

/** What a text says, and what in it may have been meant otherwise. */
export type ReadQuery = {
  readonly query: Query
  readonly warnings: readonly Warning[]
  /** The changes that the warnings offer; all of them together make a query, too. */
  readonly edits: readonly Edit[]
}

/** Of a read by arrival: events of which it is not known yet whether all of their batch is there,
 *  or that were read before, are left out. */
export type ArrivalBounds = {
  /** What had arrived before; absent: all of it is wanted. */
  readonly from?: Arrived
  readonly to?: Arrived
  /** fromMs <= received < toMs, epoch milliseconds; null for an open side. */
  readonly received?: { readonly fromMs: number | null; readonly toMs: number | null }
}

export type SearchInput = {
  readonly text: string
  /** Reads the text, once however often it is called (`readOnce`); left out: each compilation reads
   *  it. */
  readonly read?: () => ReadQuery
  /** All logs that the user may see, and no others: the SQL reads nothing else, whatever the text
   *  says. */
  readonly visibleLogs: readonly SearchableLog[]
  /** By log id, of the visible logs at least. */
  readonly columns: ReadonlyMap<number, readonly KnownColumn[]>
  /** What policies hide from the user: the SQL reads nothing of it, whatever the text says. */
  readonly masks?: readonly MaskTarget[]
  /** start <= timestamp < end, epoch milliseconds; null for an open side (allData). */
  readonly window: { readonly startMs: number | null; readonly endMs: number | null }
  /** Beside the window, on every read of events; absent: whatever is there. */
  readonly arrival?: ArrivalBounds | undefined
  /** Java letters, settings system.dateFormat and system.timeZone (IANA). */
  readonly dateFormat: string
  readonly timeZone: string
  /** What `now` is, one instant a call. */
  readonly nowMs: number
  /** Names of the columns that each `transpose` of the text makes, as asked for with
   *  `columnsQuery`. */
  readonly transposed?: readonly (readonly string[])[]
  /** Rows at most (maxNumOfRecords); null for all of them. */
  readonly maxRows: number | null
}
