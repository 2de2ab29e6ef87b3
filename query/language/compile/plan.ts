// Rows between stages: what has been compiled so far. Each stage makes the next plan from the last.

import type { EventCell } from '../compiled.ts'
import type { ColumnEntries } from '../resolve/known-columns.ts'
import type { SearchableLog } from '../search-input.ts'
import type { ColumnRef, Filter } from '../tree.ts'
import type { Operand } from './operand.ts'

export type Plan = EventPlan | TablePlan

/** Events, newest first. */
export type EventPlan = {
  readonly kind: 'events'
  /** FROM: the table, or a sub-select of all its columns. */
  readonly from: string
  /** False behind a sub-select: index conditions answer only on the table itself. */
  readonly isIndexed: boolean
  /** Who may see what, and when: in every WHERE over the table, whatever the filter says. */
  readonly bounds: readonly string[]
  readonly conditions: readonly string[]
  /** Of the source, for what is counted elsewhere (datastream). */
  readonly filter: Filter
  /** Logs that the events can come from. */
  readonly logs: readonly SearchableLog[]
  readonly entries: ColumnEntries
  readonly cells: readonly EventCell[] | 'all'
  /** Names given with `as`, lower case. */
  readonly aliases: ReadonlyMap<string, ColumnRef>
}

/** Rows of a summary table. */
export type TablePlan = {
  readonly kind: 'table'
  /** A SELECT that gives every column under its id. */
  readonly sql: string
  /** ORDER BY, over column ids. */
  readonly order: readonly string[]
  /** Shown ones first; the others stay reachable. */
  readonly columns: readonly TableColumn[]
  /** How many of `columns` are shown. */
  readonly shownCount: number
}

export type TableColumn = {
  /** Name in the SQL. */
  readonly id: string
  readonly title: string
  /** Further names by which later stages may call it. */
  readonly synonyms: readonly string[]
  /** number: Nullable number; text: String, '' missing; date: Int64 epoch milliseconds. */
  readonly cell: 'text' | 'number' | 'date'
}

export function tableOperand({ id, cell }: TableColumn): Operand {
  if (cell === 'date') return { kind: 'date', sql: id, unitsPerMs: 1 }
  if (cell === 'number') {
    return { kind: 'values', spellings: [[{ kind: 'double', sql: `toNullable(${id})` }]] }
  }
  return { kind: 'values', spellings: [[{ kind: 'text', sql: id }]] }
}

/** By title, then by synonym when only one column has it. */
export function findTableColumn(
  { name }: ColumnRef,
  columns: readonly TableColumn[],
): TableColumn | undefined {
  const folded = name.toLowerCase()
  const titled = columns.find((column) => column.title.toLowerCase() === folded)
  if (titled) return titled
  const named = columns.filter((column) =>
    column.synonyms.some((synonym) => synonym.toLowerCase() === folded),
  )
  return named.length === 1 ? named[0] : undefined
}
