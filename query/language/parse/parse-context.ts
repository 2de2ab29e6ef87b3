// What the parts of the parser hand to each other.
import type { ColumnCatalog } from '../column-catalog.ts'
import type { ColumnNames } from '../column-names.ts'
import type { Query } from '../tree.ts'
import type { Input } from './input.ts'

export type ParseContext = {
  readonly input: Input
  readonly catalog: ColumnCatalog
  /** Reads a whole query (the inside of brackets); handed over to avoid a cycle of modules. */
  readonly parseQuery: (context: ParseContext) => ParsedQuery
}

/** With the rows that it gives. */
export type ParsedQuery = { readonly query: Query; readonly state: RowState }

/** What the rows before a stage are, as far as parsing must know. */
export type RowState = {
  readonly rows: 'events' | 'table'
  readonly names: ColumnNames
  /** Set directly after functions, datastream, and their group by and interval. */
  readonly aggregation: { readonly hasGroupBy: boolean; readonly hasInterval: boolean } | null
}
