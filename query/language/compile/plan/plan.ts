// Rows between stages: what has been compiled so far. Each stage makes the next plan from the last.

import type { BuiltInColumn } from '../../built-in-columns.ts'
import type { ColumnEntries } from '../../column-entries.ts'
import type { ParsedColumn } from '../../compiled.ts'
import type { SearchableLog } from '../../search-input.ts'
import type { ColumnRef, Filter } from '../../tree.ts'
import type { Operand } from '../tests/operand.ts'
import type { Layer } from './sub-selects.ts'

export type Plan = EventPlan | TablePlan

/** Events in an order. */
export type EventPlan = {
  readonly kind: 'events'
  /** FROM: the table, or a sub-select. */
  readonly from: string
  /** False after a sub-select: index conditions answer only on the table itself. */
  readonly isIndexed: boolean
  /** Who may see what, and when: in every WHERE over the table, whatever the filter says. */
  readonly bounds: readonly string[]
  readonly conditions: readonly string[]
  /** The filter of the source, for what is counted elsewhere (datastream). */
  readonly filter: Filter
  /** Logs that the events can come from. */
  readonly logs: readonly SearchableLog[]
  readonly entries: ColumnEntries
  /** Sub-selects between the table and `from`, the innermost first. */
  readonly layers: readonly Layer[]
  /** Current order, total. NEWEST_FIRST until `order by`. */
  readonly order: readonly SortKey[]
  /** Keys that columns were sorted by before: over the first `level` layers. */
  readonly sorted: ReadonlyMap<string, { readonly keys: readonly string[]; readonly level: number }>
  /** What `percentile` has counted: `rows`, the name of their number while it is that of the plan's
   *  rows. */
  readonly counted: { readonly rows: string | null } | null
  readonly cells: readonly ShownColumn[] | 'all'
  /** Names that stages gave or made, lower case. They hide columns of that name. */
  readonly names: ReadonlyMap<string, NamedColumn>
}

/** NULL stands last in both directions. */
export type SortKey = { readonly sql: string; readonly direction: 'ASC' | 'DESC' }

/**
 * `renamed`: another name of a column of the events. `made`: worked out by a stage, over the first
 * `level` layers. `shown`: what a format of `display` prints instead of the value, wherever the
 * name is shown.
 */
export type NamedColumn = { readonly shown?: ShownColumn } & (
  | { readonly kind: 'renamed'; readonly column: ColumnRef }
  | { readonly kind: 'made'; readonly operand: Operand; readonly level: number }
)

/** `text`: what a cell shows, over the first `level` layers. `parsed`: shown when some row has it
 *  (search-language#the-result-of-a-simple-search). */
export type ShownColumn =
  | { readonly kind: 'builtIn'; readonly title: string; readonly column: BuiltInColumn }
  | { readonly kind: 'parsed'; readonly title: string; readonly column: ParsedColumn }
  | { readonly kind: 'text'; readonly title: string; readonly sql: string; readonly level: number }

/** Rows of a summary table. */
export type TablePlan = {
  readonly kind: 'table'
  /** A SELECT that gives every column under its id. */
  readonly sql: string
  /** ORDER BY, over column ids; total. */
  readonly order: readonly string[]
  /** Shown ones first; the others stay reachable. */
  readonly columns: readonly TableColumn[]
  /** How many of `columns` are shown. */
  readonly shownCount: number
  /** By column id: keys that it was sorted by before. */
  readonly sorted?: ReadonlyMap<string, readonly string[]>
}

export type TableColumn = {
  /** Name in the SQL. */
  readonly id: string
  readonly title: string
  /** Further names by which later stages may call it. */
  readonly synonyms: readonly string[]
  /** number: Nullable number; text: String, '' missing; date: Int64 epoch milliseconds. */
  readonly cell: 'text' | 'number' | 'date'
  /** Id of the String that is shown instead of the value: a format of `display`. */
  readonly printed?: string | undefined
}

export function tableOperand({ id, cell }: TableColumn): Operand {
  if (cell === 'date') return { kind: 'date', sql: id, unitsPerMs: 1 }
  if (cell === 'number') {
    const source = { kind: 'double', sql: `toNullable(${id})` } as const
    return { kind: 'values', spellings: [[source]], isComputed: true }
  }
  return { kind: 'values', spellings: [[{ kind: 'text', sql: id }]] }
}

/** By title, then by synonym when it means one column only. */
export function findTableColumn(
  { name }: Pick<ColumnRef, 'name'>,
  columns: readonly TableColumn[],
): TableColumn | undefined {
  const folded = name.toLowerCase()
  const titled = columns.find((column) => column.title.toLowerCase() === folded)
  if (titled) return titled
  const named = columns.filter((column) =>
    column.synonyms.some((synonym) => synonym.toLowerCase() === folded),
  )
  return new Set(named.map(({ id }) => id)).size === 1 ? named[0] : undefined
}
