// The parsed columns of a set of logs: one per name in any letter case, with all spellings and
// where values live.
import { BUILT_IN_NAMES } from '../built-in-columns.ts'
import type { ColumnCatalog } from '../column-catalog.ts'
import type { ColumnEntries, ColumnEntry, ColumnKind, ColumnsByLog } from '../column-entries.ts'
import type { ColumnNames } from '../column-names.ts'
import { makeColumnNames } from '../column-names.ts'
import type { ParsedColumn } from '../compiled.ts'
import type { SearchableLog } from '../search-input.ts'
import type { Filter, Scope } from '../tree.ts'
import { logsOfFilter, logsOfScope } from './select-logs.ts'

/** As long as somebody has both lists: of thousands of logs it takes longer than all else of a
 *  search before the store. */
const collected = new WeakMap<ColumnsByLog, WeakMap<readonly SearchableLog[], ColumnEntries>>()

/** Unites the columns of the logs: by log id, then by first sight. */
export function collectColumns(
  logs: readonly SearchableLog[],
  columns: ColumnsByLog,
): ColumnEntries {
  const ofColumns = collected.get(columns) ?? new WeakMap()
  collected.set(columns, ofColumns)
  const entries = ofColumns.get(logs) ?? collect(logs, columns)
  ofColumns.set(logs, entries)
  return entries
}

function collect(logs: readonly SearchableLog[], columns: ColumnsByLog): ColumnEntries {
  const entries = new Map<string, { name: string; spellings: Map<string, Set<ColumnKind>> }>()
  for (const { id } of [...logs].sort((a, b) => a.id - b.id)) {
    const known = [...(columns.get(id) ?? [])].sort((a, b) => a.position - b.position)
    for (const { name, kind } of known) {
      const key = name.toLowerCase()
      let entry = entries.get(key)
      if (!entry) {
        entry = { name, spellings: new Map() }
        entries.set(key, entry)
      }
      const kinds = entry.spellings.get(name)
      if (kinds) kinds.add(kind)
      else entry.spellings.set(name, new Set([kind]))
    }
  }
  const listed = new Map<string, ColumnEntry>()
  for (const [key, { name, spellings }] of entries) {
    const list = [...spellings].map(([path, kinds]) => ({ path, kinds }))
    listed.set(key, { name, spellings: list })
  }
  return listed
}

export function toParsedColumn({ name, spellings }: ColumnEntry): ParsedColumn {
  return { name, spellings: spellings.map(({ path }) => path) }
}

/** What parsing asks for, from the visible logs. */
export function makeCatalog(logs: readonly SearchableLog[], columns: ColumnsByLog): ColumnCatalog {
  const namesByLogs = new Map<string, ColumnNames>()
  const namesOf = (selected: readonly SearchableLog[]): ColumnNames => {
    const key = selected.length === logs.length ? 'all' : selected.map(({ id }) => id).join(',')
    const known = namesByLogs.get(key)
    if (known) return known
    const names = makeColumnNames([
      ...BUILT_IN_NAMES,
      ...[...collectColumns(selected, columns).values()].map(({ name }) => name),
    ])
    namesByLogs.set(key, names)
    return names
  }
  return {
    inScopes: (scopes: readonly Scope[]) =>
      namesOf(
        scopes.reduce<readonly SearchableLog[]>((left, scope) => logsOfScope(scope, left), logs),
      ),
    inFilter: (filter: Filter) => namesOf(logsOfFilter(filter, logs)),
  }
}
