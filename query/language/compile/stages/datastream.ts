// `datastream`: events and bytes by period (search-language#datastream), from the ingest counters
// where the filter asks for scopes only.

import { SYSTEM_FOLDER } from '../../../../schemas/names/log-path.ts'
import { builtInColumn } from '../../built-in-columns.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import { keyTitle } from '../../stages/group-by.ts'
import type { Datastream, Filter, GroupKey, Interval } from '../../tree.ts'
import { FALSE, sqlAnd } from '../boolean-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import { aggregateInput } from '../groups/aggregate-input.ts'
import { type Buckets, buckets } from '../groups/bucket-sql.ts'
import type { Calculation } from '../groups/function-sql.ts'
import type { Grouping } from '../groups/functions.ts'
import { type CompiledKey, keyColumn, plainKey } from '../groups/group-key.ts'
import { groupPieces, groupRows, type Pieces } from '../groups/group-rows.ts'
import { selectFrom, sourcePlan, visibleSql } from '../plan/event-plan.ts'
import type { EventPlan, Plan, TableColumn, TablePlan } from '../plan/plan.ts'
import { filterSql, scopeSql } from '../tests/filter-sql.ts'
import { NO_COLUMN } from '../tests/operand.ts'
import { receiptBounds, timeBounds } from '../tests/time-bounds.ts'
import { flowOperand } from './flow-key.ts'
import { defaultPeriod } from './period.ts'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

const NOTHING = 'toUInt64(0)'

const FLOW: readonly TableColumn[] = [
  { id: 'v0', title: 'events', synonyms: [], cell: 'number' },
  { id: 'v1', title: 'volume', synonyms: [], cell: 'number' },
]

/** The same from the events. */
const SUMS: readonly Calculation[] = [
  ['count', ''],
  ['sum', 'toUInt64(size)'],
].map(([name = '', argument = '']) => ({
  aggregates: [{ name, parameters: '', argument }],
  result: ([sum = '']) => sum,
  cell: 'number',
  empty: NOTHING,
}))

export function datastream(
  stage: Datastream,
  input: Plan,
  { groupBy, interval, isFirst }: Grouping & { readonly isFirst: boolean },
  context: CompileContext,
): TablePlan {
  if (input.kind !== 'events') return raiseQuery('datastream needs events', stage.start)
  const { isReceived } = stage
  if (isReceived && !isFirst)
    return raiseQuery('datastream received stands directly after the filter', stage.start)
  const plan = isReceived ? sourceOf(input.filter, isReceived, context) : withoutOwn(input, context)
  const keys = (groupBy?.keys ?? []).map((key) => readKey(key, plan, context))
  const period: Interval = interval ?? {
    ...defaultPeriod(context.window),
    kind: 'interval',
    start: stage.start,
    end: stage.end,
  }
  const time = buckets(period, context)
  const quarters = wholeQuarters(context.window)
  // The counters know hosts and sources as they are.
  const isPlain = context.masks.length === 0
  const counted =
    isPlain && isFirst && isScopesOnly(plan.filter) && time.isOfQuarters ? quarters : undefined
  if (counted !== undefined || isReceived) {
    const rows = flowRows(plan, keys, { counted, isReceived, time }, context)
    return groupPieces(countedPieces(rows, keys), time, context)
  }
  const rows = aggregateInput(plan, keys.length > 0, context)
  const groups = { functions: FLOW, calculations: SUMS, keys, interval: period }
  return groupRows(rows, groups, context)
}

/** The logs of the product itself hold nothing that came in. */
function withoutOwn(plan: EventPlan, context: CompileContext): EventPlan {
  const logs = plan.logs.filter(({ folder }) => folder[0] !== SYSTEM_FOLDER)
  if (logs.length === plan.logs.length) return plan
  return { ...plan, logs, bounds: [...plan.bounds, visibleSql(logs, context)] }
}

function readKey(key: GroupKey, plan: EventPlan, context: CompileContext): CompiledKey {
  if (key.format) raiseQuery('datastream groups by plain keys, without a format', key.format.start)
  const column = key.column.origin === 'parsed' ? undefined : builtInColumn(key.column.name)
  const operand = column && flowOperand(column, plan.logs)
  if (!operand)
    return raiseQuery('datastream groups by log, folder, host, app or source', key.start)
  const names = { title: keyTitle(key), synonyms: [key.column.name] }
  return { ...names, ...plainKey(operand, key.missingText, context) }
}

type Quarters = { readonly from: number | null; readonly to: number | null }

/** Those that lie in the window whole; undefined when none does. */
function wholeQuarters({ startMs, endMs }: CompileContext['window']): Quarters | undefined {
  const from = startMs === null ? null : Math.ceil(startMs / QUARTER_MS) * QUARTER_MS
  const to = endMs === null ? null : Math.floor(endMs / QUARTER_MS) * QUARTER_MS
  return from !== null && to !== null && from >= to ? undefined : { from, to }
}

/** The counters know no single row: of equal keys those of the newest quarter of an hour are shown,
 *  and of these the least (0009). */
function countedPieces(rows: string, keys: readonly CompiledKey[]): Pieces {
  const all = keys.map((_, index) => `e${index}`)
  return {
    rows,
    keys: keys.map(keyColumn),
    sums: [
      `max(intDiv(slot, ${QUARTER_MS / 1000})) AS newest`,
      'sum(events) AS events',
      'sum(bytes) AS bytes',
    ],
    spelling: (index) => `argMin(e${index}, (-newest, ${all.join(', ')}))`,
    functions: FLOW,
    values: ['sum(events)', 'sum(bytes)'],
    empties: [NOTHING, NOTHING],
  }
}

type Flow = {
  /** undefined: nothing is read from the counters. */
  readonly counted: Quarters | undefined
  readonly isReceived: boolean
  readonly time: Buckets
}

/** slot, e0…, events, bytes: to be summed. */
function flowRows(
  plan: EventPlan,
  keys: readonly CompiledKey[],
  { counted, isReceived, time }: Flow,
  context: CompileContext,
): string {
  const names = keys.map(({ sql }, index) => `${sql} AS e${index}`)
  const exists = keys.map((key) => key.exists)
  const tail = ['slot', ...keys.map((_, index) => `e${index}`)].join(', ')
  const fromEvents = (source: EventPlan) => {
    const nanos = isReceived
      ? '(toUnixTimestamp64Milli(received) * 1000000)'
      : 'toUnixTimestamp64Nano(timestamp)'
    const columns = [`${time.slot(nanos)} AS slot`, ...names]
    const sums = 'count() AS events, sum(toUInt64(size)) AS bytes'
    const cut = { ...source, conditions: [...source.conditions, ...exists] }
    return `${selectFrom(cut, `${columns.join(', ')}, ${sums}`)} GROUP BY ${tail}`
  }
  if (counted === undefined) return fromEvents(plan)
  const { from, to } = counted
  const { startMs, endMs } = context.window
  const parts = [countedRows(plan, { names, exists, tail, time, from, to, isReceived }, context)]
  const edge = (window: CompileContext['window']) =>
    sourceOf(plan.filter, isReceived, { ...context, window })
  if (from !== null && startMs !== null && startMs < from) {
    parts.push(fromEvents(edge({ startMs, endMs: from })))
  }
  if (to !== null && endMs !== null && to < endMs) {
    parts.push(fromEvents(edge({ startMs: to, endMs })))
  }
  return parts.join(' UNION ALL ')
}

type Counted = Quarters & {
  readonly names: readonly string[]
  readonly exists: readonly string[]
  readonly tail: string
  readonly time: Buckets
  readonly isReceived: boolean
}

/** The counters, kept by quarter hour of the event's time and of its receipt. */
function countedRows(
  plan: EventPlan,
  { names, exists, tail, time, from, to, isReceived }: Counted,
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
  const quarter = isReceived ? 'quarter' : 'event_quarter'
  // An event is at most a day ahead of its receipt, by which the counters are kept.
  const early = (ms: number) => `quarter >= ${seconds(Math.max(0, ms - DAY_MS))}`
  const conditions = [
    filterSql(plan.filter, target, context),
    ...exists,
    ...(from === null ? [] : [`${quarter} >= ${seconds(from)}`]),
    ...(from === null || isReceived ? [] : [early(from)]),
    ...(to === null ? [] : [`${quarter} < ${seconds(to)}`]),
  ]
  const nanos = `toInt64(toUnixTimestamp(${quarter})) * 1000000000`
  const columns = [`${time.slot(nanos)} AS slot`, ...names]
  const sums = 'sum(counts.events) AS events, sum(counts.bytes) AS bytes'
  return `SELECT ${columns.join(', ')}, ${sums} FROM counts WHERE ${visibleSql(plan.logs, context)} AND ${sqlAnd(conditions)} GROUP BY ${tail}`
}

function sourceOf(filter: Filter, isReceived: boolean, context: CompileContext): EventPlan {
  const plan = sourcePlan(filter, context, isReceived ? receiptBounds : timeBounds)
  return withoutOwn(plan, context)
}

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
