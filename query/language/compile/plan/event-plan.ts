// Plans over `events`: where rows come from, who may see them, and how they are tested.
import { collectColumns } from '../../resolve/known-columns.ts'
import { searchedLogs } from '../../resolve/select-logs.ts'
import type { ColumnRef, Filter, Scope } from '../../tree.ts'
import { sqlAnd, sqlEither, TRUE } from '../boolean-sql.ts'
import type { ValueSource } from '../columns/column-sql.ts'
import { eventOperand } from '../columns/event-columns.ts'
import type { CompileContext } from '../compile-context.ts'
import { FEW_LOGS } from '../sql-params.ts'
import { termsSql } from '../terms/terms-sql.ts'
import { arrivalBounds } from '../tests/arrival-bounds.ts'
import { type FilterTarget, filterSql, scopeSql } from '../tests/filter-sql.ts'
import type { Operand } from '../tests/operand.ts'
import { timeBounds } from '../tests/time-bounds.ts'
import { maskedEventsSql } from './masked-events.ts'
import type { EventPlan, NamedColumn } from './plan.ts'

/** Newest first; ties in reverse order of arrival (decision 2.8). */
export const NEWEST_FIRST: EventPlan['order'] = [
  { sql: 'timestamp', direction: 'DESC' },
  { sql: 'partition', direction: 'ASC' },
  { sql: 'offset', direction: 'DESC' },
  { sql: '`index`', direction: 'DESC' },
]

/** The events of the window that the user may see and the filter selects. */
export function sourcePlan(
  filter: Filter,
  context: CompileContext,
  boundsOf: typeof timeBounds = timeBounds,
): EventPlan {
  const { params, visibleLogs, columns, window, arrival, masks } = context
  const isMasked = masks.length > 0
  const logs = searchedLogs(filter, visibleLogs)
  const plan: EventPlan = {
    kind: 'events',
    from: isMasked ? maskedEventsSql(masks, params) : 'events',
    isIndexed: !isMasked,
    bounds: [
      visibleSql(logs, context),
      ...boundsOf(window, params),
      ...arrivalBounds(arrival, params),
    ],
    conditions: [],
    filter,
    logs,
    entries: collectColumns(logs, columns),
    layers: [],
    order: NEWEST_FIRST,
    sorted: new Map(),
    counted: null,
    cells: 'all',
    names: new Map(),
  }
  return withFilter(plan, filter, context)
}

/** On every read of a table, whatever the query says (decision 4.9). */
export function visibleSql(logs: EventPlan['logs'], { params }: CompileContext): string {
  const ids = [...new Set(logs.map(({ id }) => id))].sort((a, b) => a - b)
  params.noteLogs(ids)
  const within = ({ first, last }: Run) =>
    `log_id BETWEEN ${params.add(first, 'UInt64')} AND ${params.add(last, 'UInt64')}`
  const [one, other, third] = runsOf(ids)
  // As most users see them. Looking each row up in a list costs a calculation over all events a
  // tenth of its time, in one of thousands a quarter.
  if (one && !other && ids.length > 2) return within(one)
  if (one && other && !third && ids.length > FEW_LOGS) return sqlEither(within(one), within(other))
  return `log_id IN ${params.add(ids, 'Array(UInt32)')}`
}

type Run = { readonly first: number; last: number }

/** `ids`: ascending, each once. */
function runsOf(ids: readonly number[]): readonly Run[] {
  const runs: Run[] = []
  for (const id of ids) {
    const run = runs.at(-1)
    if (run !== undefined && run.last === id - 1) run.last = id
    else runs.push({ first: id, last: id })
  }
  return runs
}

export function withFilter(plan: EventPlan, filter: Filter, context: CompileContext): EventPlan {
  const condition = eventCondition(plan, filter, context)
  return { ...recounted(plan), conditions: [...plan.conditions, condition] }
}

/** True or false in every row. In SELECT no index answers: not for a plan over the table itself
 *  there. */
export function eventCondition(plan: EventPlan, filter: Filter, context: CompileContext): string {
  return filterSql(filter, eventTarget(plan, context), context)
}

/** True while the rows stand in the order of a simple search. */
export function isNewestFirst({ order }: EventPlan): boolean {
  return (
    order.length === NEWEST_FIRST.length &&
    order.every(({ sql, direction }, index) => {
      const key = NEWEST_FIRST[index]
      return sql === key?.sql && direction === key.direction
    })
  )
}

/** Where the value of a column is in the rows of the plan. */
export function planOperand(plan: EventPlan, column: ColumnRef, context: CompileContext): Operand {
  const named = findNamed(plan, column)
  if (named?.kind === 'made') return carryOperand(named.operand, plan.layers.slice(named.level))
  const meant = meantColumn(plan, column)
  const guard = (place: string) => rareGuard(plan, place, context)
  const isMasked = context.masks.length > 0
  const operand = eventOperand(meant, plan, context.params, isMasked ? 'masked' : guard)
  return carryOperand(operand, plan.layers)
}

/**
 * The name of a number that is 0 where no event has a value in this place; undefined where asking
 * does not pay. The engine remembers the answer for every part of the table (its cache of
 * conditions, which a condition moved to PREWHERE does not meet).
 */
function rareGuard(plan: EventPlan, place: string, context: CompileContext): string | undefined {
  return askFirst([visibleSql(plan.logs, context), `isNotNull(${place})`], context)
}

/** The name of a number that is 0 where no event meets all conditions. */
function askFirst(conditions: readonly string[], context: CompileContext): string | undefined {
  // Asked of the table itself, it would tell of what is hidden.
  if (!context.readsAll || context.masks.length > 0) return undefined
  const rows = `FROM events WHERE ${conditions.join(' AND ')}`
  return context.subSelects.scalar(
    `SELECT count() > 0 FROM (SELECT 1 ${rows} LIMIT 1 SETTINGS optimize_move_to_prewhere = 0)`,
  )
}

/** What a name stands for that a stage gave or made. `column.x` says the parsed column outright. */
export function findNamed({ names }: EventPlan, column: ColumnRef): NamedColumn | undefined {
  return column.origin === 'any' ? names.get(column.name.toLowerCase()) : undefined
}

/** Equal for names of one column. */
export function columnId(plan: EventPlan, column: ColumnRef): string {
  const named = findNamed(plan, column)
  if (named?.kind === 'made') return JSON.stringify(named.operand)
  const { origin, name } = meantColumn(plan, column)
  return `${origin} ${name.toLowerCase()}`
}

/** The column of the events that a name stands for. */
export function meantColumn(plan: EventPlan, column: ColumnRef): ColumnRef {
  const named = findNamed(plan, column)
  if (named?.kind !== 'renamed') return column
  return { ...named.column, start: column.start, end: column.end }
}

/** An expression over the first layers, after all of them. */
export function carrySql(sql: string, layers: EventPlan['layers']): string {
  return layers.reduce((inner, layer) => layer.carry(inner), sql)
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

/** The rows as a sub-select, with columns more (`expression AS name`) and what stands after its
 *  conditions. */
export function subSelect(
  plan: EventPlan,
  { more = [], tail = '' }: { more?: readonly string[]; tail?: string },
  { subSelects }: CompileContext,
): EventPlan {
  const layer = subSelects.open()
  const order = plan.order.map(({ sql, direction }) => ({ sql: layer.carry(sql), direction }))
  return {
    ...plan,
    from: `(${selectFrom(plan, [layer.columns, ...more].join(', '))}${tail})`,
    isIndexed: false,
    bounds: [],
    conditions: [],
    layers: [...plan.layers, layer],
    order,
  }
}

/** The rows cut to some of the first, as the source of further stages. */
export function cutPlan(
  plan: EventPlan,
  rows: { count: number; offset: number },
  context: CompileContext,
): EventPlan {
  return recounted(
    subSelect(plan, { tail: `${orderSql(plan)} ${limitSql(rows, context)}` }, context),
  )
}

/** The number of rows is another one now. */
export function recounted(plan: EventPlan): EventPlan {
  return plan.counted ? { ...plan, counted: { rows: null } } : plan
}

/** With a space before it. */
export function orderSql({ order }: Pick<EventPlan, 'order'>): string {
  return ` ORDER BY ${order.map(({ sql, direction }) => `${sql} ${direction}`).join(', ')}`
}

export function limitSql(
  { count, offset }: { count: number; offset: number },
  { params }: CompileContext,
): string {
  const limit = `LIMIT ${params.add(String(count), 'UInt64')}`
  return offset === 0 ? limit : `${limit} OFFSET ${params.add(String(offset), 'UInt64')}`
}

/** The limit of the whole result, with a space before it; or nothing. */
export function maxRowsSql(maxRows: number | null, context: CompileContext): string {
  return maxRows === null ? '' : ` ${limitSql({ count: maxRows, offset: 0 }, context)}`
}

function eventTarget(plan: EventPlan, context: CompileContext): FilterTarget {
  const { params, visibleLogs } = context
  const terms = {
    params,
    isIndexed: plan.isIndexed,
    askFirst: (condition: string) =>
      plan.isIndexed ? askFirst([...plan.bounds, condition], context) : undefined,
  }
  return {
    termsSql: (kind, list) => termsSql(kind, list, terms),
    operand: (column) => planOperand(plan, column, context),
    scopeSql: (scope: Scope) => scopeSql(scope, visibleLogs, params),
    isIndexed: plan.isIndexed,
  }
}

function carryOperand(operand: Operand, layers: EventPlan['layers']): Operand {
  switch (operand.kind) {
    case 'values':
      return {
        ...operand,
        spellings: operand.spellings.map((sources) =>
          sources.map((source) => carrySource(source, layers)),
        ),
      }
    case 'size':
    case 'date':
      return { ...operand, sql: carrySql(operand.sql, layers) }
    case 'perLog':
      return operand
  }
}

/** After a sub-select the value is a column: nothing to ask for before it is read. */
function carrySource(source: ValueSource, layers: EventPlan['layers']): ValueSource {
  if (layers.length === 0) return source
  const sql = carrySql(source.sql, layers)
  if (source.kind === 'double') return { ...source, sql }
  const { guard: _, ...carried } = source
  return { ...carried, sql }
}
