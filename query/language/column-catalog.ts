// The names of columns that a query is read with.
import type { ColumnNames } from './column-names.ts'
import type { Filter, Scope } from './tree.ts'

/** The columns of the logs, by scope: parsing a test depends on them. Implemented by the
 *  resolver. */
export interface ColumnCatalog {
  /** Built-in names and columns of the logs that all of these scopes select. */
  inScopes(scopes: readonly Scope[]): ColumnNames
  /** Column names of the logs that events of this filter can come from. */
  inFilter(filter: Filter): ColumnNames
}
