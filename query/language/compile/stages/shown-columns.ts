// `list` and `display only`: which columns are shown, in which order and under which names (search-language 3.6, 4.1).
import type { EventCell } from '../../compiled.ts'
import { toParsedColumn } from '../../resolve/known-columns.ts'
import type { ColumnRef } from '../../tree.ts'
import { resolveColumn } from '../event-columns.ts'
import { aliased } from '../event-plan.ts'
import { type EventPlan, findTableColumn, type TableColumn, type TablePlan } from '../plan.ts'

type Item = { readonly column: ColumnRef; readonly alias: string | null }

/** The other columns of the events stay reachable. */
export function showEventColumns(plan: EventPlan, items: readonly Item[]): EventPlan {
  const aliases = new Map(plan.aliases)
  const cells = items.map(({ column, alias }) => {
    const meant = aliased(plan, column)
    if (alias !== null) aliases.set(alias.toLowerCase(), meant)
    return eventCell(plan, meant, alias ?? column.name)
  })
  return { ...plan, cells, aliases }
}

function eventCell({ entries }: EventPlan, column: ColumnRef, name: string): EventCell {
  const resolved = resolveColumn(column, entries)
  switch (resolved.kind) {
    case 'builtIn':
      return { kind: 'builtIn', name, column: resolved.column }
    case 'parsed':
      return { kind: 'parsed', name, column: toParsedColumn(resolved.entry) }
    case 'unknown':
      return { kind: 'parsed', name, column: { name, spellings: [] } }
  }
}

/** A column that does not exist is shown empty. */
export function showTableColumns(plan: TablePlan, items: readonly Item[]): TablePlan {
  const shown = items.map(({ column, alias }): TableColumn => {
    const title = alias ?? column.name
    const found = findTableColumn(column, plan.columns)
    if (!found) return { id: 'missing', title, synonyms: [], cell: 'text' }
    return { ...found, title, synonyms: [...found.synonyms, found.title] }
  })
  const isMissing = shown.some(({ id }) => id === 'missing')
  const isThere = plan.columns.some(({ id }) => id === 'missing')
  return {
    ...plan,
    sql: isMissing && !isThere ? `SELECT *, '' AS missing FROM (${plan.sql})` : plan.sql,
    columns: [...shown, ...plan.columns],
    shownCount: shown.length,
  }
}
