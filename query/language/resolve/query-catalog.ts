// What a query is read and checked with.
import type { ColumnCatalog } from '../column-catalog.ts'
import type { ColumnsByLog } from '../column-entries.ts'
import { nearestWord } from '../nearest-word.ts'
import type { SearchableLog } from '../search-input.ts'
import type { ScopeItem } from '../tree.ts'
import { makeCatalog } from './known-columns.ts'
import { type EmptyScope, emptyScope } from './scope-names.ts'

export type QueryCatalog = ColumnCatalog & {
  /** Undefined for a part of a scope that selects a log. */
  emptyScope(item: ScopeItem): EmptyScope | undefined
}

export function makeQueryCatalog(
  logs: readonly SearchableLog[],
  columns: ColumnsByLog,
): QueryCatalog {
  const emptyOf = (item: ScopeItem) => emptyScope(item, logs, nearestWord)
  return { ...makeCatalog(logs, columns), emptyScope: emptyOf }
}
