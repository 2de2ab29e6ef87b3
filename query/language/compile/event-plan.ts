// Plans over `events`: where rows come from, who may see them, and how they are tested.
import { EVENT_COLUMNS } from '../../../schemas/event-row.ts'
import { collectColumns } from '../resolve/known-columns.ts'
import { logsOfFilter } from '../resolve/select-logs.ts'
import type { ColumnRef, Filter, Scope } from '../tree.ts'
import { sqlAnd, TRUE } from './boolean-sql.ts'
import type { CompileContext } from './compile-context.ts'
import { eventOperand } from './event-columns.ts'
import { type FilterTarget, filterSql, scopeSql } from './filter-sql.ts'
import type { EventPlan } from './plan.ts'
import { termsSql } from './terms-sql.ts'
import { timeBounds } from './time-bounds.ts'

/** Newest first; ties in reverse order of arrival (decision 2.8). */
export const NEWEST_FIRST = 'timestamp DESC, partition, offset DESC, `index` DESC'

const ALL_COLUMNS = EVENT_COLUMNS.map(({ name }) => `\`${name}\``).join(', ')

/** The events of the window that the user may see and the filter selects. */
export function sourcePlan(filter: Filter, context: CompileContext): EventPlan {
  const { params, visibleLogs, columns, window } = context
  const logs = logsOfFilter(filter, visibleLogs)
  const plan: EventPlan = {
    kind: 'events',
    from: 'events',
    isIndexed: true,
    bounds: [visibleSql(logs, context), ...timeBounds(window, params)],
    conditions: [],
    filter,
    logs,
    entries: collectColumns(logs, columns),
    cells: 'all',
    aliases: new Map(),
  }
  return withFilter(plan, filter, context)
}

/** On every read of a table, whatever the query says (decision 4.9). */
export function visibleSql(logs: EventPlan['logs'], { params }: CompileContext): string {
  const ids = logs.map(({ id }) => id)
  return `log_id IN ${params.add(ids, 'Array(UInt32)')}`
}

export function withFilter(plan: EventPlan, filter: Filter, context: CompileContext): EventPlan {
  const condition = filterSql(filter, eventTarget(plan, context), context)
  return { ...plan, conditions: [...plan.conditions, condition] }
}

export function planOperand(plan: EventPlan, column: ColumnRef, context: CompileContext) {
  return eventOperand(aliased(plan, column), plan.entries, plan.logs, context.params)
}

/** What a name given with `as` stands for. */
export function aliased({ aliases }: EventPlan, column: ColumnRef): ColumnRef {
  const meant = column.origin === 'any' ? aliases.get(column.name.toLowerCase()) : undefined
  return meant ? { ...meant, start: column.start, end: column.end } : column
}

/** `SELECT <columns> FROM … WHERE …` */
export function selectFrom(plan: EventPlan, columns: string): string {
  return `SELECT ${columns} ${fromWhere(plan)}`
}

/** `FROM … WHERE …` */
export function fromWhere({ from, bounds, conditions }: EventPlan): string {
  const condition = sqlAnd(conditions)
  const all = [...bounds, ...(condition === TRUE ? [] : [condition])]
  return all.length === 0 ? `FROM ${from}` : `FROM ${from} WHERE ${all.join(' AND ')}`
}

/** The rows cut to some of the newest, as the source of further stages. */
export function cutPlan(
  plan: EventPlan,
  rows: { count: number; offset: number },
  context: CompileContext,
): EventPlan {
  const sql = `${selectFrom(plan, ALL_COLUMNS)} ORDER BY ${NEWEST_FIRST} ${limitSql(rows, context)}`
  return { ...plan, from: `(${sql})`, isIndexed: false, bounds: [], conditions: [] }
}

export function limitSql(
  { count, offset }: { count: number; offset: number },
  { params }: CompileContext,
): string {
  const limit = `LIMIT ${params.add(String(count), 'UInt64')}`
  return offset === 0 ? limit : `${limit} OFFSET ${params.add(String(offset), 'UInt64')}`
}

/** Of the whole result; with a space before it, or nothing. */
export function maxRowsSql(maxRows: number | null, context: CompileContext): string {
  return maxRows === null ? '' : ` ${limitSql({ count: maxRows, offset: 0 }, context)}`
}

function eventTarget(plan: EventPlan, context: CompileContext): FilterTarget {
  const { params, visibleLogs } = context
  return {
    termsSql: (kind, terms) => termsSql(kind, terms, { params, isIndexed: plan.isIndexed }),
    operand: (column) => planOperand(plan, column, context),
    scopeSql: (scope: Scope) => scopeSql(scope, visibleLogs, params),
  }
}
