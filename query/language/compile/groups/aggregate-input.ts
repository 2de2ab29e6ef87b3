// Rows of either kind as the source of functions and groups.
import type { ColumnRef, Filter } from '../../tree.ts'
import { sqlAnd, TRUE } from '../boolean-sql.ts'
import { rowColumns } from '../columns/row-columns.ts'
import type { CompileContext } from '../compile-context.ts'
import type { RowColumns } from '../formats/row-columns.ts'
import {
  eventCondition,
  fromWhere,
  isNewestFirst,
  orderSql,
  planOperand,
  subSelect,
} from '../plan/event-plan.ts'
import {
  type EventPlan,
  findTableColumn,
  type Plan,
  type TableColumn,
  type TablePlan,
} from '../plan/plan.ts'
import { tableCondition } from '../plan/table-plan.ts'
import { columnOperand } from '../stages/made-columns.ts'
import type { Operand } from '../tests/operand.ts'

export type AggregateInput = {
  /** FROM … WHERE …, with these conditions more. */
  from(conditions: readonly string[]): string
  operand(column: ColumnRef): Operand
  /** The condition of `if (filter)`: true or false in every row. */
  condition(filter: Filter): string
  /** `at`: where a failure about a column points to. */
  row(at: number): RowColumns
  /** The rows are read from the table of events itself. */
  readonly isTable: boolean
  /** Greatest in the row that stands first. Only where `needsPlace`. */
  readonly firstness: string
  /** Smallest there. */
  readonly place: string
  /** Smallest in the earliest row: by time for events, by place for tables. */
  readonly age: string
  /** A column with the number of all rows; null: they must be counted. */
  readonly total: string | null
  /** Int64 nanoseconds of the row, its first and its last moment; null: rows of this table have no
   *  time. */
  readonly times: { readonly start: string; readonly end: string; readonly exists: string } | null
}

/** Time, then arrival, in one number, which the store compares much quicker than a tuple. */
const AGE =
  'bitShiftLeft(toInt256(toUnixTimestamp64Nano(timestamp)), 112) + toInt256(bitShiftLeft(toUInt128(65535 - partition), 96) + bitShiftLeft(toUInt128(offset), 32) + `index`)'

/** `needsPlace`: whether something depends on the order of the rows. */
export function aggregateInput(
  plan: Plan,
  needsPlace: boolean,
  context: CompileContext,
): AggregateInput {
  return plan.kind === 'events' ? eventInput(plan, needsPlace, context) : tableInput(plan, context)
}

function eventInput(
  given: EventPlan,
  needsPlace: boolean,
  context: CompileContext,
): AggregateInput {
  const isNumbered = needsPlace && !isNewestFirst(given)
  const plan = isNumbered
    ? subSelect(
        given,
        { more: [`row_number() OVER (${orderSql(given).trim()}) AS place`] },
        context,
      )
    : given
  const nanos = 'toUnixTimestamp64Nano(timestamp)'
  return {
    from: (conditions) => fromWhere({ ...plan, conditions: [...plan.conditions, ...conditions] }),
    operand: (column) => planOperand(plan, column, context),
    // In SELECT no index answers.
    condition: (filter) => eventCondition({ ...plan, isIndexed: false }, filter, context),
    row: (at) => rowColumns(plan, at, context),
    isTable: plan.isIndexed,
    firstness: isNumbered ? '-toInt64(place)' : AGE,
    place: isNumbered ? 'place' : `-(${AGE})`,
    age: AGE,
    total: null,
    times: { start: nanos, end: nanos, exists: TRUE },
  }
}

function tableInput(plan: TablePlan, context: CompileContext): AggregateInput {
  const order = plan.order.length === 0 ? '' : `ORDER BY ${plan.order.join(', ')}`
  const numbered = `(SELECT *, row_number() OVER (${order}) AS place, count() OVER () AS total FROM (${plan.sql}))`
  return {
    from: (conditions) => {
      const condition = sqlAnd(conditions)
      return `FROM ${numbered}${condition === TRUE ? '' : ` WHERE ${condition}`}`
    },
    operand: (column) => columnOperand(plan, column, context),
    condition: (filter) => tableCondition(plan, filter, context),
    row: (at) => rowColumns(plan, at, context),
    isTable: false,
    firstness: '-toInt64(place)',
    place: 'place',
    age: 'place',
    total: 'total',
    times: tableTimes(plan.columns),
  }
}

/** The columns that say when: of intervals, of transactions, of functions. */
function tableTimes(columns: readonly TableColumn[]): AggregateInput['times'] {
  const dates = columns.filter(({ cell }) => cell === 'date')
  const named = (...names: readonly string[]) => {
    for (const name of names) {
      const found = findTableColumn({ name }, dates)
      if (found) return `(${found.id} * 1000000)`
    }
    return undefined
  }
  const start = named('time', 'start time', 'timestamp')
  const end = named('end time', 'time', 'timestamp')
  const some = start ?? end
  if (some === undefined) return null
  return { start: some, end: end ?? some, exists: `isNotNull(${some})` }
}
