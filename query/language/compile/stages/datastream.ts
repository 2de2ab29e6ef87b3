// `datastream`: events and bytes by period (search-language 3.4), from the ingest counters where the filter asks for scopes only.

import { builtInColumn } from '../../built-in-columns.ts'
import { raiseQuery } from '../../raise-query.ts'
import { keyTitle } from '../../stages/group-by.ts'
import type { Datastream, Filter, GroupBy, GroupKey } from '../../tree.ts'
import { FALSE, sqlAnd } from '../boolean-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import { selectFrom, sourcePlan, visibleSql } from '../event-plan.ts'
import { filterSql, scopeSql } from '../filter-sql.ts'
import { NO_COLUMN } from '../operand.ts'
import type { EventPlan, Plan, TableColumn, TablePlan } from '../plan.ts'
import { flowKey } from './flow-key.ts'
import { groupOrder, refuseManyGroups } from './group-limit.ts'
import { identitySql } from './key-sql.ts'
import { fillPeriods, periodOf, periodStart } from './period.ts'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

const FLOW: readonly TableColumn[] = [
  { id: 'v0', title: 'events', synonyms: [], cell: 'number' },
  { id: 'v1', title: 'volume', synonyms: [], cell: 'number' },
]
const TIME: TableColumn = { id: 'bucket', title: 'time', synonyms: [], cell: 'date' }

export function datastream(
  stage: Datastream,
  plan: Plan,
  groupBy: GroupBy | undefined,
  context: CompileContext,
): TablePlan {
  if (plan.kind !== 'events') return raiseQuery('datastream needs events', stage.start)
  const keys = (groupBy?.keys ?? []).map((key) => readKey(key, plan, context))
  const rows = flowRows(
    plan,
    keys.map(({ sql }) => sql),
    keys.map(({ exists }) => exists),
    context,
  )
  const keyColumns = (groupBy?.keys ?? []).map((key, index): TableColumn => {
    return { id: `k${index}`, title: keyTitle(key), synonyms: [key.column.name], cell: 'text' }
  })
  const filled = keys.length === 0 ? fillPeriods(rows, context) : rows
  const shown = [
    'bucket',
    ...keys.map((_, index) => `any(e${index}) AS k${index}`),
    'sum(events) AS v0',
    'sum(bytes) AS v1',
  ]
  const identities = keys.map((_, index) => identitySql('text', `e${index}`))
  const groups = `SELECT ${shown.join(', ')} FROM (${filled}) GROUP BY ${['bucket', ...identities].join(', ')}`
  const columns = [TIME, ...keyColumns, ...FLOW]
  return {
    kind: 'table',
    sql: refuseManyGroups(groups),
    order: ['bucket', ...groupOrder(FLOW, keyColumns)],
    columns,
    shownCount: columns.length,
  }
}

function readKey(key: GroupKey, plan: EventPlan, { params }: CompileContext) {
  if (key.format) raiseQuery('a format is not supported yet', key.format.start)
  if (key.missingText !== null) raiseQuery('or behind a key is not supported yet', key.start)
  const column = key.column.origin === 'parsed' ? undefined : builtInColumn(key.column.name)
  const found = column ? flowKey(column, plan.logs, params) : undefined
  return found ?? raiseQuery('datastream groups by log, folder, host, app or source', key.start)
}

/** bucket, e0…, events, bytes: to be summed. */
function flowRows(
  plan: EventPlan,
  keys: readonly string[],
  exists: readonly string[],
  context: CompileContext,
): string {
  const names = keys.map((sql, index) => `${sql} AS e${index}`)
  const tail = ['bucket', ...keys.map((_, index) => `e${index}`)].join(', ')
  const fromEvents = (source: EventPlan, more: readonly string[]) => {
    const columns = [`${periodStart('timestamp', context)} AS bucket`, ...names]
    const sums = 'count() AS events, sum(toUInt64(size)) AS bytes'
    const cut = { ...source, conditions: [...source.conditions, ...exists, ...more] }
    return `${selectFrom(cut, `${columns.join(', ')}, ${sums}`)} GROUP BY ${tail}`
  }
  if (!plan.isIndexed || !isScopesOnly(plan.filter) || periodOf(context.window) === 'minute') {
    return fromEvents(plan, [])
  }
  const { startMs, endMs } = context.window
  const from = startMs === null ? null : Math.ceil(startMs / QUARTER_MS) * QUARTER_MS
  const to = endMs === null ? null : Math.floor(endMs / QUARTER_MS) * QUARTER_MS
  if (from !== null && to !== null && from >= to) return fromEvents(plan, [])
  const parts = [countedRows(plan, names, exists, tail, { from, to }, context)]
  if (from !== null && startMs !== null && startMs < from) {
    parts.push(fromEvents(edge(plan, { startMs, endMs: from }, context), []))
  }
  if (to !== null && endMs !== null && to < endMs) {
    parts.push(fromEvents(edge(plan, { startMs: to, endMs }, context), []))
  }
  return parts.join(' UNION ALL ')
}

/** The counters, kept by quarter hour of the event's time. */
function countedRows(
  plan: EventPlan,
  names: readonly string[],
  exists: readonly string[],
  tail: string,
  { from, to }: { from: number | null; to: number | null },
  context: CompileContext,
): string {
  const { params, visibleLogs } = context
  const seconds = (ms: number) => `toDateTime(${params.add(String(ms / 1000), 'Int64')}, 'UTC')`
  const target = {
    termsSql: () => FALSE,
    operand: () => NO_COLUMN,
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
  const columns = [`${periodStart('event_quarter', context)} AS bucket`, ...names]
  const sums = 'sum(counts.events) AS events, sum(counts.bytes) AS bytes'
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
