// `list` and `display`: which columns are shown, in which order, under which names and in which
// formats (search-language#list, #display-and-display-only).
import { FIXED_COLUMNS } from '../../built-in-columns.ts'
import { isAdding } from '../../stages/display.ts'
import type { ColumnRef, Display, DisplayItem, Format, List } from '../../tree.ts'
import { resolveColumn } from '../columns/event-columns.ts'
import { rowColumns } from '../columns/row-columns.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { addedColumn, formatSql } from '../formats/format-sql.ts'
import { findNamed, meantColumn, planOperand, subSelect } from '../plan/event-plan.ts'
import {
  type EventPlan,
  findTableColumn,
  type NamedColumn,
  type Plan,
  type ShownColumn,
  type TableColumn,
  type TablePlan,
  tableOperand,
} from '../plan/plan.ts'
import { addTableColumns, madeOperand, placed, shownEventColumns } from './made-columns.ts'

type Item = Pick<DisplayItem, 'column' | 'alias' | 'format'>

/** The other columns of the events stay reachable. */
export function list(plan: EventPlan, { items }: List, context: CompileContext): EventPlan {
  const plain = items.map(({ column, alias }) => ({ column, alias, format: null }))
  return displayEvents(plan, plain, { isOnly: true }, context)
}

export function display(plan: Plan, { isOnly, items }: Display, context: CompileContext): Plan {
  return plan.kind === 'table'
    ? displayTable(plan, items, { isOnly }, context)
    : displayEvents(plan, items, { isOnly }, context)
}

/** Items do not see each other. */
function displayEvents(
  plan: EventPlan,
  items: readonly Item[],
  { isOnly }: { isOnly: boolean },
  context: CompileContext,
): EventPlan {
  const added = items.map((item) => addedBy(plan, item, context))
  const more = added.flatMap((column) => (column ? [`${column.sql} AS ${column.id}`] : []))
  const rows = more.length === 0 ? plan : subSelect(plan, { more }, context)
  let cells: readonly ShownColumn[] = isOnly ? [] : shownEventColumns(plan)
  const names = new Map(plan.names)
  for (const [index, item] of items.entries()) {
    const title = item.alias ?? item.column.name
    const made = added[index]
    const cell: ShownColumn = made
      ? { kind: 'text', title, sql: made.printed(made.id), level: rows.layers.length }
      : eventCell(rows, item, context)
    cells = isOnly ? [...cells, cell] : placed(cells, cell, isNamed(item.column))
    const operand = made && madeOperand(made.cell, made.id)
    const meaning: NamedColumn = operand
      ? { kind: 'made', operand, level: rows.layers.length, shown: cell }
      : meaningOf(plan, item, cell)
    const isFormatted = item.format !== null && item.column.origin === 'any'
    if (item.alias !== null) names.set(item.alias.toLowerCase(), meaning)
    if (made || (item.alias === null && isFormatted))
      names.set(item.column.name.toLowerCase(), meaning)
  }
  return { ...rows, cells, names }
}

/** The column that an item adds, if it does. */
function addedBy(plan: EventPlan, { column, format }: Item, context: CompileContext) {
  if (!format || !isAdding(format) || isKnown(plan, column)) return undefined
  const row = rowColumns(plan, format.start, context)
  return { ...addedColumn(format, row, context), id: context.subSelects.name() }
}

function isKnown(plan: EventPlan, column: ColumnRef): boolean {
  if (findNamed(plan, column) !== undefined) return true
  return resolveColumn(column, plan.entries).kind !== 'unknown'
}

/** A format stays with the name that it was given to. */
function meaningOf(plan: EventPlan, { column, format }: Item, cell: ShownColumn): NamedColumn {
  const named = findNamed(plan, column)
  const meaning: NamedColumn =
    named?.kind === 'made' ? named : { kind: 'renamed', column: meantColumn(plan, column) }
  return format || named?.shown ? { ...meaning, shown: cell } : meaning
}

function eventCell(
  plan: EventPlan,
  { column, alias, format }: Item,
  context: CompileContext,
): ShownColumn {
  const title = alias ?? column.name
  const text = (sql: string): ShownColumn => {
    return { kind: 'text', title, sql, level: plan.layers.length }
  }
  if (format) return text(formatted(plan, column, format, context))
  const named = findNamed(plan, column)
  if (named?.shown) return { ...named.shown, title }
  if (named?.kind !== 'made') {
    const found = resolveColumn(meantColumn(plan, column), plan.entries)
    // A message is a text like any other, without the rest of the event.
    if (found.kind === 'builtIn' && found.column !== 'message') {
      return { kind: 'builtIn', title, column: found.column }
    }
  }
  return text(shownText(planOperand(plan, column, context), context))
}

function formatted(
  plan: EventPlan,
  column: ColumnRef,
  format: Format,
  context: CompileContext,
): string {
  const row = rowColumns(plan, format.start, context)
  return formatSql(format, planOperand(plan, column, context), row, context)
}

/** True of the shown column that a name means. A parsed column said outright is not the fixed one
 *  of its name. */
function isNamed({ name, origin }: ColumnRef): (cell: ShownColumn) => boolean {
  const folded = name.toLowerCase()
  const isFixed = FIXED_COLUMNS.some((fixed) => fixed === folded)
  return ({ title }) => title.toLowerCase() === folded && !(origin === 'parsed' && isFixed)
}

/** Items do not see each other. */
function displayTable(
  plan: TablePlan,
  items: readonly Item[],
  { isOnly }: { isOnly: boolean },
  context: CompileContext,
): TablePlan {
  const expressions: string[] = []
  const add = (sql: string) => {
    const id = context.subSelects.name()
    expressions.push(`${sql} AS ${id}`)
    return id
  }
  let shown: readonly TableColumn[] = isOnly ? [] : plan.columns.slice(0, plan.shownCount)
  for (const item of items) {
    const before = findTableColumn(item.column, plan.columns)
    const column = tableColumn(plan, item, before, add, context)
    shown = isOnly ? [...shown, column] : placed(shown, column, (other) => other === before)
  }
  const hidden = plan.columns.filter((column) => !shown.includes(column))
  return {
    ...addTableColumns(plan, expressions),
    columns: [...shown, ...hidden],
    shownCount: shown.length,
  }
}

function tableColumn(
  plan: TablePlan,
  { column, alias, format }: Item,
  found: TableColumn | undefined,
  add: (sql: string) => string,
  context: CompileContext,
): TableColumn {
  const title = alias ?? column.name
  const row = rowColumns(plan, format?.start ?? column.start, context)
  if (found) {
    const synonyms = [...found.synonyms, found.title]
    if (!format) return { ...found, title, synonyms }
    const printed = add(formatSql(format, tableOperand(found), row, context))
    return { ...found, title, synonyms, printed }
  }
  if (!format || !isAdding(format)) return { id: add("''"), title, synonyms: [], cell: 'text' }
  const { sql, cell, printed } = addedColumn(format, row, context)
  const id = add(sql)
  const synonyms = alias === null ? [] : [column.name]
  return { id, title, synonyms, cell, printed: add(printed(id)) }
}
