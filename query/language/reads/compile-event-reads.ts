// Reads of single events in their exact order: pages of the newest, those around one event, those
// that have arrived since a position. All are bounded by what the writer has committed: an insert
// is seen in parts before, and could be seen twice. Pure.

import { sqlAnd } from '../compile/boolean-sql.ts'
import type { CompileContext } from '../compile/compile-context.ts'
import { limitSql, NEWEST_FIRST, selectFrom, visibleSql } from '../compile/plan/event-plan.ts'
import { WHOLE } from '../compile/plan/event-result.ts'
import type { EventPlan } from '../compile/plan/plan.ts'
import { timeBounds } from '../compile/tests/time-bounds.ts'
import { type FilterInput, makeStatement, planFilter, type Statement } from '../compile-filter.ts'
import type { Arrival, Arrived, EventPlace } from '../event-place.ts'

/** Rows: those of CompiledEvents, then partition, offset, index and received (epoch
 *  milliseconds). */
export type CompiledEventRead = Statement

/** The newest events of the window, after `after` where it is given. */
export function compilePage(
  input: FilterInput & {
    readonly after: EventPlace | undefined
    readonly arrived: Arrived
    readonly count: number
  },
): CompiledEventRead {
  const { plan, context } = planFilter(input)
  const conditions = [
    arrivedSql(input.arrived, context),
    ...(input.after ? [olderSql(input.after, context)] : []),
  ]
  return read(bounded(plan, conditions), newestFirst(), input.count, context)
}

/** Events that arrived in a partition from one position to another, in the order of arrival. */
export function compileArrivals(
  input: FilterInput & { readonly from: Arrival; readonly to: Arrival; readonly count: number },
): CompiledEventRead {
  const { plan, context } = planFilter(input)
  const { from, to, count } = input
  const conditions = [
    `partition = ${context.params.add(String(from.partition), 'UInt64')}`,
    notBelowSql(from, context),
    belowSql(to, context),
  ]
  return read(bounded(plan, conditions), 'partition, offset, `index`', count, context)
}

/** One event, where the user may see it. */
export function compileEvent(
  input: FilterInput & { readonly place: EventPlace },
): CompiledEventRead {
  const { plan, context } = planFilter(input)
  return read(bounded(plan, [sameSql(input.place, context)]), newestFirst(), 1, context)
}

/** Events beside one: the nearest older ones newest first, or the nearest newer ones oldest
 *  first. */
export function compileNeighbours(
  input: FilterInput & {
    readonly place: EventPlace
    readonly side: 'older' | 'newer'
    readonly among: { readonly logId: number } | { readonly host: string; readonly source: string }
    readonly arrived: Arrived
    readonly count: number
  },
): CompiledEventRead {
  const { plan, context } = planFilter(input)
  const { place, among } = input
  const { params } = context
  const kin =
    'logId' in among
      ? [
          visibleSql(
            plan.logs.filter(({ id }) => id === among.logId),
            context,
          ),
        ]
      : [`host = ${params.text(among.host)}`, `source = ${params.text(among.source)}`]
  const isOlder = input.side === 'older'
  const side = isOlder ? olderSql(place, context) : newerSql(place, context)
  const order = isOlder ? newestFirst() : oldestFirst()
  const conditions = [...kin, side, arrivedSql(input.arrived, context)]
  return read(bounded(plan, conditions), order, input.count, context)
}

/** Epoch milliseconds of the first and the last event of the logs in scope: no row, or two. */
export function compileTimes(input: FilterInput): Statement {
  const { plan, context } = planFilter(input)
  const ofScope = { ...plan, conditions: [] }
  const one = (direction: string) =>
    `(${selectFrom(ofScope, 'toUnixTimestamp64Milli(timestamp) AS ms')} ORDER BY timestamp ${direction} LIMIT 1)`
  return makeStatement(`SELECT ms FROM (${one('ASC')} UNION ALL ${one('DESC')})`, context)
}

/** Rows: log id, its events in the window, epoch nanoseconds of its last event. */
export function compileLogTimes(
  input: FilterInput & { readonly logIds: readonly number[] },
): Statement {
  const { plan, context } = planFilter({ ...input, window: { startMs: null, endMs: null } })
  const wanted = new Set(input.logIds)
  const logs = plan.logs.filter(({ id }) => wanted.has(id))
  const inside = sqlAnd(timeBounds(input.window, context.params))
  const columns = `log_id, countIf(${inside}) AS inside, toString(toUnixTimestamp64Nano(max(timestamp))) AS last`
  const ofLogs = { ...plan, bounds: [visibleSql(logs, context)] }
  return makeStatement(`${selectFrom(ofLogs, columns)} GROUP BY log_id`, context, {
    endsEarly: false,
  })
}

/** Rows: log id, its events in the window, of the logs in scope that have some. */
export function compileLogCounts(input: FilterInput): Statement {
  const { plan, context } = planFilter(input)
  const ofScope = { ...plan, conditions: [] }
  return makeStatement(`${selectFrom(ofScope, 'log_id, count()')} GROUP BY log_id`, context, {
    endsEarly: false,
  })
}

function bounded(plan: EventPlan, conditions: readonly string[]): EventPlan {
  // Bounds stand before the filter: they are cheap, and the engine prunes by them.
  return { ...plan, bounds: [...plan.bounds, ...conditions] }
}

function read(
  plan: EventPlan,
  order: string,
  count: number,
  context: CompileContext,
): CompiledEventRead {
  const columns = [
    ...WHOLE,
    ...['partition', 'offset', '`index`', 'toUnixTimestamp64Milli(received) AS receivedMs'],
  ]
  const rows = `${selectFrom(plan, columns.join(', '))} ORDER BY ${order}`
  return makeStatement(`${rows} ${limitSql({ count, offset: 0 }, context)}`, context)
}

function newestFirst(): string {
  return NEWEST_FIRST.map(({ sql, direction }) => `${sql} ${direction}`).join(', ')
}

function oldestFirst(): string {
  return NEWEST_FIRST.map(
    ({ sql, direction }) => `${sql} ${direction === 'ASC' ? 'DESC' : 'ASC'}`,
  ).join(', ')
}

/** Without a partition nothing has arrived. */
function arrivedSql(arrived: Arrived, context: CompileContext): string {
  const each = arrived.map((to, partition) => {
    const at = context.params.add(String(partition), 'UInt64')
    return `(partition = ${at} AND ${belowSql({ partition, ...to }, context)})`
  })
  return each.length === 0 ? '0' : `(${each.join(' OR ')})`
}

function belowSql({ offset, index }: Arrival, { params }: CompileContext): string {
  const at = params.add(String(offset), 'UInt64')
  return `(offset < ${at} OR (offset = ${at} AND \`index\` < ${params.add(String(index), 'UInt64')}))`
}

function notBelowSql({ offset, index }: Arrival, { params }: CompileContext): string {
  const at = params.add(String(offset), 'UInt64')
  // The plain bound is what the engine's index of offsets answers.
  return `offset >= ${at} AND (offset > ${at} OR \`index\` >= ${params.add(String(index), 'UInt64')})`
}

function momentOf({ timestampNs }: EventPlace, { params }: CompileContext): string {
  return `fromUnixTimestamp64Nano(${params.add(timestampNs, 'Int64')}, 'UTC')`
}

function numbersOf({ partition, offset, index }: Arrival, { params }: CompileContext) {
  const number = (value: number) => params.add(String(value), 'UInt64')
  return { partition: number(partition), offset: number(offset), index: number(index) }
}

/** After the event in NEWEST_FIRST. */
function olderSql(place: EventPlace, context: CompileContext): string {
  const moment = momentOf(place, context)
  const at = numbersOf(place, context)
  const tie = `partition > ${at.partition} OR (partition = ${at.partition} AND (offset < ${at.offset} OR (offset = ${at.offset} AND \`index\` < ${at.index})))`
  return `timestamp <= ${moment} AND (timestamp < ${moment} OR ${tie})`
}

/** Before the event in NEWEST_FIRST. */
function newerSql(place: EventPlace, context: CompileContext): string {
  const moment = momentOf(place, context)
  const at = numbersOf(place, context)
  const tie = `partition < ${at.partition} OR (partition = ${at.partition} AND (offset > ${at.offset} OR (offset = ${at.offset} AND \`index\` > ${at.index})))`
  return `timestamp >= ${moment} AND (timestamp > ${moment} OR ${tie})`
}

function sameSql(place: EventPlace, context: CompileContext): string {
  const at = numbersOf(place, context)
  return `timestamp = ${momentOf(place, context)} AND partition = ${at.partition} AND offset = ${at.offset} AND \`index\` = ${at.index}`
}
