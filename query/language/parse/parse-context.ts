// What the parts of the parser hand to each other.
import type { ColumnNames } from '../column-names.ts'
import type { Filter, Query, Scope } from '../tree.ts'
import type { Input } from './input.ts'

/** The columns of the logs, by scope: parsing a test depends on them. Implemented by the
 *  resolver. */
export interface ColumnCatalog {
  /** Built-in names and columns of the logs that all of these scopes select. */
  inScopes(scopes: readonly Scope[]): ColumnNames
  /** Column names of the logs that events of this filter can come from. */
  inFilter(filter: Filter): ColumnNames
}

export type ParseContext = {
  readonly input: Input
  readonly catalog: ColumnCatalog
  /** Reads a whole query (the inside of brackets); handed over to avoid a cycle of modules. */
  readonly parseQuery: (context: ParseContext) => Query
}

/** What the rows before a stage are, as far as parsing must know. */
export type RowState = {
  readonly rows: 'events' | 'table'
  readonly names: ColumnNames
  /** Set directly after functions, datastream, and their group by and interval. */
  readonly aggregation: { readonly hasGroupBy: boolean; readonly hasInterval: boolean } | null
}
