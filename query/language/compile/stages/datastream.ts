// `datastream`: events and bytes by period (search-language 3.4), from the ingest counters where the filter asks for scopes only.

import { builtInColumn } from '../../built-in-columns.ts'
import { raiseQuery } from '../../raise-query.ts'
import { keyTitle } from '../../stages/group-by.ts'
import type { Datastream, Filter, GroupKey } from '../../tree.ts'
import { FALSE, sqlAnd } from '../boolean-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import { selectFrom, sourcePlan, visibleSql } from '../event-plan.ts'
import { filterSql, scopeSql } from '../filter-sql.ts'
import { NO_COLUMN } from '../operand.ts'
import type { EventPlan, Plan, TableColumn, TablePlan } from '../plan.ts'
import { type Buckets, buckets } from './bucket-sql.ts'
import { flowOperand } from './flow-key.ts'
import type { Grouping } from './functions.ts'
import { plainKey } from './group-key.ts'
import { groupPieces } from './group-rows.ts'
import type { Key } from './key-sql.ts'
import { defaultPeriod } from './period.ts'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

const FLOW: readonly TableColumn[] = [
  { id: 'v0', title: 'events', synonyms: [], cell: 'number' },
  { id: 'v1', title: 'volume', synonyms: [], cell: 'number' },
]

export function datastream(
  stage: Datastream,
  plan: Plan,
  { groupBy, interval }: Grouping,
  context: CompileContext,
): TablePlan {
  if (plan.kind !== 'events') return raiseQuery('datastream needs events', stage.start)
  const groupKeys = groupBy?.keys ?? []
  const keys = groupKeys.map((key) => readKey(key, plan, context))
  const time = buckets(interval ?? defaultPeriod(context.window), context)
  const pieces = {
    rows: flowRows(plan, keys, time, context),
    keys: groupKeys.map((key, index): TableColumn => {
      return { id: `k${index}`, title: keyTitle(key), synonyms: [key.column.name], cell: 'text' }
    }),
    spelling: (index: number) => firstSpelling(index, keys.length),
    functions: FLOW,
    values: ['sum(events)', 'sum(bytes)'],
    empties: ['toUInt64(0)', 'toUInt64(0)'],
  }
  return groupPieces(pieces, time, context)
}

function readKey(key: GroupKey, plan: EventPlan, context: CompileContext): Key {
  if (key.format) raiseQuery('datastream groups by plain keys, without a format', key.format.start)
  const column = key.column.origin === 'parsed' ? undefined : builtInColumn(key.column.name)
  const operand = column && flowOperand(column, plan.logs)
  return operand
    ? plainKey(operand, key.missingText, context)
    : raiseQuery('datastream groups by log, folder, host, app or source', key.start)
}

/** Of equal keys those of the newest quarter of an hour, and of these the smallest: the counters know no single row (0009). */
function firstSpelling(index: number, count: number): string {
  const all = Array.from({ length: count }, (_, at) => `e${at}`)
  return `argMin(e${index}, (-newest, ${all.join(', ')}))`
}

/** slot, e0…, newest (quarter of an hour since 1970), events, bytes: to be summed. */
function flowRows(
  plan: EventPlan,
  keys: readonly Key[],
  time: Buckets,
  context: CompileContext,
): string {
  const names = keys.map(({ sql }, index) => `${sql} AS e${index}`)
  const exists = keys.map((key) => key.exists)
  const tail = ['slot', ...keys.map((_, index) => `e${index}`)].join(', ')
  const fromEvents = (source: EventPlan, more: readonly string[]) => {
    const columns = [`${time.slot('toUnixTimestamp64Nano(timestamp)')} AS slot`, ...names]
    const sums =
      'intDiv(toInt64(toUnixTimestamp(max(timestamp))), 900) AS newest, count() AS events, sum(toUInt64(size)) AS bytes'
    const cut = { ...source, conditions: [...source.conditions, ...exists, ...more] }
    return `${selectFrom(cut, `${columns.join(', ')}, ${sums}`)} GROUP BY ${tail}`
  }
  const isCounted = plan.isIndexed && plan.conditions.length <= 1 && isScopesOnly(plan.filter)
  if (!isCounted || !time.isOfQuarters) {
    return fromEvents(plan, [])
  }
  const { startMs, endMs } = context.window
  const from = startMs === null ? null : Math.ceil(startMs / QUARTER_MS) * QUARTER_MS
  const to = endMs === null ? null : Math.floor(endMs / QUARTER_MS) * QUARTER_MS
  if (from !== null && to !== null && from >= to) return fromEvents(plan, [])
  const parts = [countedRows(plan, { names, exists, tail, time, from, to }, context)]
  if (from !== null && startMs !== null && startMs < from) {
    parts.push(fromEvents(edge(plan, { startMs, endMs: from }, context), []))
  }
  if (to !== null && endMs !== null && to < endMs) {
    parts.push(fromEvents(edge(plan, { startMs: to, endMs }, context), []))
  }
  return parts.join(' UNION ALL ')
}

type Counted = {
  readonly names: readonly string[]
  readonly exists: readonly string[]
  readonly tail: string
  readonly time: Buckets
  readonly from: number | null
  readonly to: number | null
}

/** The counters, kept by quarter hour of the event's time. */
function countedRows(
  plan: EventPlan,
  { names, exists, tail, time, from, to }: Counted,
  context: CompileContext,
): string {
  const { params, visibleLogs } = context
  const seconds = (ms: number) => `toDateTime(${params.add(String(ms / 1000), 'Int64')}, 'UTC')`
  const target = {
    termsSql: () => FALSE,
    operand: () => NO_COLUMN,
    isIndexed: false,
    scopeSql: (scope: Parameters<typeof scopeSql>[0]) => scopeSql(scope, visibleLogs, params),
  }
  const conditions = [
    filterSql(plan.filter, target, context),
    ...exists,
    // An event is at most a day ahead of its receipt, by which the counters are kept.
    ...(from === null
      ? []
      : [`event_quarter >= ${seconds(from)}`, `quarter >= ${seconds(Math.max(0, from - DAY_MS))}`]),
    ...(to === null ? [] : [`event_quarter < ${seconds(to)}`]),
  ]
  const nanos = 'toInt64(toUnixTimestamp(event_quarter)) * 1000000000'
  const columns = [`${time.slot(nanos)} AS slot`, ...names]
  const sums =
    'intDiv(toInt64(toUnixTimestamp(max(event_quarter))), 900) AS newest, sum(counts.events) AS events, sum(counts.bytes) AS bytes'
  return `SELECT ${columns.join(', ')}, ${sums} FROM counts WHERE ${visibleSql(plan.logs, context)} AND ${sqlAnd(conditions)} GROUP BY ${tail}`
}

/** The part of the window that is no whole quarter. */
function edge(
  plan: EventPlan,
  window: CompileContext['window'],
  context: CompileContext,
): EventPlan {
  return sourcePlan(plan.filter, { ...context, window })
}

/** `*` with scopes: what the counters can answer. */
function isScopesOnly(filter: Filter): boolean {
  switch (filter.kind) {
    case 'everything':
      return true
    case 'scoped':
    case 'not':
      return isScopesOnly(filter.operand)
    case 'and':
    case 'or':
      return filter.operands.every(isScopesOnly)
    case 'word':
    case 'phrase':
    case 'test':
      return false
  }
}
