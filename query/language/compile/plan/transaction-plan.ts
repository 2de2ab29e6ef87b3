// `transaction(...)` (search-language#transaction) as a table of one row a transaction, in three
// steps: the events of all steps with their key; those that belong together; times and counts.
// Sorting and windows work on disk where memory ends.

import { Failure } from '../../../../schemas/failures.ts'
import { foldExpression } from '../../../../schemas/store/text-index.ts'
import { originOf } from '../../parse/parse-test.ts'
import type { ColumnRef, Transaction, TransactionStep } from '../../tree.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { keySql } from '../groups/key-sql.ts'
import { fromWhere, planOperand, sourcePlan } from './event-plan.ts'
import type { TableColumn, TablePlan } from './plan.ts'
import { transactionMembers } from './transaction-members.ts'

/** Earlier events are less: by time, then by arrival; an event of several steps is one of each, in
 *  their order. */
const MOMENT = '(timestamp, -toInt32(partition), offset, `index`, step)'

/** As many as a query holds in brackets: each is a read of the events. */
const MAX_STEPS = 40

export function transactionPlan(source: Transaction, context: CompileContext): TablePlan {
  const { steps, limitMinutes, isUniqueKey } = source
  if (steps.length > MAX_STEPS) {
    const reason = `the transaction has more than ${MAX_STEPS} steps`
    throw new Failure('search.resources', { reason })
  }
  const limitMs =
    limitMinutes === null
      ? null
      : context.params.add(String(Math.round(limitMinutes * 60_000)), 'Int64')
  const events = steps.map((step, index) => stepEvents(step, index, context)).join(' UNION ALL ')
  const members = transactionMembers(events, { lastStep: steps.length - 1, limitMs, isUniqueKey })
  const columns = columnsOf(steps)
  return {
    kind: 'table',
    sql: transactionRows(members, steps, limitMs),
    order: ['t_opened'],
    columns,
    shownCount: columns.length,
  }
}

/** key (as text), id (the same key has the same id), moment, ms, step. */
function stepEvents(step: TransactionStep, index: number, context: CompileContext): string {
  const plan = sourcePlan(step.filter, context)
  const operand = planOperand(plan, keyColumn(step), context)
  const { exists } = keySql(operand, context.params, 'one')
  const key = `toString(${shownText(operand, context)})`
  const columns = [
    `${key} AS key`,
    `${foldExpression(key)} AS id`,
    `toUInt16(${index}) AS step`,
    `${MOMENT} AS moment`,
    'toUnixTimestamp64Milli(timestamp) AS ms',
  ]
  const from = fromWhere({ ...plan, conditions: [...plan.conditions, exists] })
  return `SELECT ${columns.join(', ')} ${from}`
}

/** `column.x` and `event.x` say which one outright. */
function keyColumn({ key, start, end }: TransactionStep): ColumnRef {
  const [, prefix = '', bare = ''] = /^(column|event)\.(.+)$/is.exec(key) ?? []
  const origin = originOf(prefix.toLowerCase())
  return origin
    ? { kind: 'column', name: bare, origin, start, end }
    : { kind: 'column', name: key, origin: 'any', start, end }
}

function columnsOf(steps: readonly TransactionStep[]): TableColumn[] {
  const column = (id: string, title: string, cell: TableColumn['cell']): TableColumn => {
    return { id, title, synonyms: [], cell }
  }
  return [
    column('t_key', 'key', 'text'),
    column('t_start', 'start time', 'date'),
    column('t_end', 'end time', 'date'),
    column('t_time', 'transaction time', 'number'),
    ...steps.slice(1).map(({ name }, index) => {
      return column(`t_between${index}`, `${steps[index]?.name ?? ''}->${name} time`, 'number')
    }),
    column('t_count', 'transaction eventscount', 'number'),
    ...steps.map(({ name }, index) => column(`t_count${index}`, `${name} eventscount`, 'number')),
    column('t_state', 'transaction fullstate', 'text'),
  ]
}

/** `members`: key, id, part, moment, ms, step, isMember. */
function transactionRows(
  members: string,
  steps: readonly TransactionStep[],
  limitMs: string | null,
): string {
  const sums = [
    'argMin(key, moment) AS t_key',
    'min(moment) AS t_opened',
    'min(ms) AS t_start',
    'maxIf(ms, isMember) AS t_end',
    'max(ms) AS seenUntil',
    'countIf(isMember) AS t_count',
    ...steps.map((_, index) => `countIf(isMember AND step = ${index}) AS t_count${index}`),
    ...steps.map((_, index) => `minIf(ms, isMember AND step = ${index}) AS first${index}`),
  ]
  const grouped = `SELECT id, part, ${sums.join(', ')} FROM (${members}) GROUP BY id, part`
  const next = `leadInFrame(toNullable(t_start), 1, NULL) OVER (PARTITION BY id ORDER BY t_opened ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS nextStart`
  const between = steps.slice(1).map((_, index) => {
    const isThere = `t_count${index} > 0 AND t_count${index + 1} > 0`
    return `if(${isThere}, toNullable(first${index + 1} - first${index}), NULL) AS t_between${index}`
  })
  const inner = steps.slice(1, -1).map((_, index) => `t_count${index + 1} > 0`)
  const closed =
    inner.length === 0 ? "'CLOSE'" : `if(${inner.join(' AND ')}, 'CLOSE', 'TIME CLOSE')`
  const isOver =
    limitMs === null
      ? '0'
      : `greatest(seenUntil, ifNull(nextStart, seenUntil)) - t_start > ${limitMs}`
  const columns = [
    't_key, t_opened, t_start, t_end, t_end - t_start AS t_time, t_count',
    ...steps.map((_, index) => `t_count${index}`),
    ...between,
    `multiIf(t_count${steps.length - 1} > 0, ${closed}, ${isOver}, 'TIME CLOSE', 'OPEN') AS t_state`,
  ]
  return `SELECT ${columns.join(', ')} FROM (SELECT *, ${next} FROM (${grouped}))`
}
