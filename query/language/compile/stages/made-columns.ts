// Columns that a stage works out: shown at the end, or in the place of the one whose name they
// take; later stages may use them.
import { FIXED_COLUMNS } from '../../built-in-columns.ts'
import { toParsedColumn } from '../../resolve/known-columns.ts'
import type { ColumnRef } from '../../tree.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { planOperand, subSelect } from '../plan/event-plan.ts'
import {
  type EventPlan,
  findTableColumn,
  type Plan,
  type ShownColumn,
  type TableColumn,
  type TablePlan,
  tableOperand,
} from '../plan/plan.ts'
import { NO_COLUMN, type Operand, textOperand } from '../tests/operand.ts'

/** number: `sql` is a Nullable(Float64); text: a String, '' when missing. */
export type MadeColumn = {
  readonly title: string
  readonly cell: 'text' | 'number'
  readonly sql: string
}

/** `shared`: expressions by name that the columns are made from. */
export function addColumns(
  plan: Plan,
  made: readonly MadeColumn[],
  shared: readonly string[],
  context: CompileContext,
): Plan {
  return plan.kind === 'events'
    ? addEventColumns(plan, made, shared, context)
    : showTableColumns(plan, made, shared, context)
}

/** For rows of either kind; a column that they lack is missing in all. */
export function columnOperand(plan: Plan, column: ColumnRef, context: CompileContext): Operand {
  if (plan.kind === 'events') return planOperand(plan, column, context)
  const found = findTableColumn(column, plan.columns)
  return found ? tableOperand(found) : NO_COLUMN
}

function addEventColumns(
  plan: EventPlan,
  made: readonly MadeColumn[],
  shared: readonly string[],
  context: CompileContext,
): EventPlan {
  const columns = made.map((column) => ({ ...column, id: context.subSelects.name() }))
  const more = [...shared, ...columns.map(({ sql, id }) => `${sql} AS ${id}`)]
  const next = subSelect(plan, { more }, context)
  const level = next.layers.length
  let cells = shownEventColumns(plan)
  const names = new Map(plan.names)
  for (const { title, cell, id } of columns) {
    const operand = madeOperand(cell, id)
    names.set(title.toLowerCase(), { kind: 'made', operand, level })
    const shown = { kind: 'text', title, sql: shownText(operand, context), level } as const
    cells = placed(cells, shown, (other) => isTitled(other, title))
  }
  return { ...next, cells, names }
}

export function madeOperand(cell: MadeColumn['cell'], sql: string): Operand {
  if (cell === 'text') return textOperand(sql)
  return { kind: 'values', spellings: [[{ kind: 'double', sql }]], isComputed: true }
}

function showTableColumns(
  plan: TablePlan,
  made: readonly MadeColumn[],
  shared: readonly string[],
  context: CompileContext,
): TablePlan {
  const columns = made.map((column) => ({ ...column, id: context.subSelects.name() }))
  const expressions = [...shared, ...columns.map(({ sql, id }) => `${sql} AS ${id}`)]
  let shown: readonly TableColumn[] = plan.columns.slice(0, plan.shownCount)
  for (const { id, title, cell } of columns) {
    const column: TableColumn = { id, title, synonyms: [], cell }
    shown = placed(shown, column, (other) => isTitled(other, title))
  }
  const hidden = plan.columns.slice(plan.shownCount)
  return {
    ...addTableColumns(plan, expressions),
    columns: [...shown, ...hidden],
    shownCount: shown.length,
  }
}

/** The same rows with expressions more (`sql AS id`). What is shown does not change. */
export function addTableColumns(plan: TablePlan, expressions: readonly string[]): TablePlan {
  if (expressions.length === 0) return plan
  return { ...plan, sql: `SELECT *, ${expressions.join(', ')} FROM (${plan.sql})` }
}

/** The columns that events show, one by one. */
export function shownEventColumns({ cells, entries }: EventPlan): readonly ShownColumn[] {
  if (cells !== 'all') return cells
  const parsed = [...entries].filter(([name]) => FIXED_COLUMNS.every((fixed) => fixed !== name))
  return [
    ...FIXED_COLUMNS.map((column) => ({ kind: 'builtIn', title: column, column }) as const),
    ...parsed.map(([, entry]) => {
      const column = toParsedColumn(entry)
      return { kind: 'parsed', title: column.name, column } as const
    }),
  ]
}

/** In the place of the first that is meant, else at the end. */
export function placed<Column>(
  columns: readonly Column[],
  column: Column,
  isMeant: (column: Column) => boolean,
): readonly Column[] {
  const place = columns.findIndex(isMeant)
  return place < 0 ? [...columns, column] : columns.with(place, column)
}

function isTitled(column: { readonly title: string }, title: string): boolean {
  return column.title.toLowerCase() === title.toLowerCase()
}
