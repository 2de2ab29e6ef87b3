// What a query is read and checked with.
import type { ColumnCatalog } from '../column-catalog.ts'
import type { ColumnKind, ColumnsByLog } from '../column-entries.ts'
import { nearestWord } from '../nearest-word.ts'
import type { SearchableLog } from '../search-input.ts'
import type { Filter, Scope, ScopeItem } from '../tree.ts'
import { collectColumns, makeCatalog } from './known-columns.ts'
import { type EmptyScope, emptyScope } from './scope-names.ts'
import { logsOfFilter, logsOfScope } from './select-logs.ts'

/** Kinds of the values of a parsed column, by its name in any letter case; none of what no log in
 *  scope has. */
export type KindsOf = (name: string) => ReadonlySet<ColumnKind>

const NO_KINDS: ReadonlySet<ColumnKind> = new Set()
/** Of the rows of tables. */
export const NO_PARSED: KindsOf = () => NO_KINDS

export type QueryCatalog = ColumnCatalog & {
  /** Undefined for a part of a scope that selects a log. */
  emptyScope(item: ScopeItem): EmptyScope | undefined
  isLog(name: string): boolean
  kindsInScopes(scopes: readonly Scope[]): KindsOf
  kindsInFilter(filter: Filter): KindsOf
}

export function makeQueryCatalog(
  logs: readonly SearchableLog[],
  columns: ColumnsByLog,
): QueryCatalog {
  const emptyOf = (item: ScopeItem) => emptyScope(item, logs, nearestWord)
  const kindsOf = (select: () => readonly SearchableLog[]): KindsOf => {
    let selected: readonly SearchableLog[] | undefined
    return (name) => {
      selected ??= select()
      const entry = collectColumns(selected, columns).get(name.toLowerCase())
      return new Set(entry?.spellings.flatMap(({ kinds }) => [...kinds]))
    }
  }
  return {
    ...makeCatalog(logs, columns),
    emptyScope: emptyOf,
    isLog: (name) => logs.some((log) => log.name === name),
    kindsInScopes: (scopes) => kindsOf(() => scopes.reduce(within, logs)),
    kindsInFilter: (filter) => kindsOf(() => logsOfFilter(filter, logs)),
  }
}

function within(logs: readonly SearchableLog[], scope: Scope): readonly SearchableLog[] {
  return logsOfScope(scope, logs)
}
