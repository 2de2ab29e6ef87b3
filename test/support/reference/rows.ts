// The stages of a query one after the other, each over the rows of the one before: by the letter of
// the language's reference, and as slowly as need be.
import { aggregate, datastream } from './aggregate.ts'
import { eventRelation } from './columns.ts'
import { filterOf } from './filter.ts'
import { join, transpose, transposeKey } from './reshape.ts'
import type { Relation, World } from './run/model.ts'
import { logsOfFilter } from './scopes.ts'
import {
  dedupRows,
  display,
  extract,
  listColumns,
  orderRows,
  replace,
  round,
  sliceRows,
} from './stages.ts'
import { transactions } from './transaction.ts'
import type { GroupBy, Interval, Query, Stage } from './tree.ts'
import { cellText } from './values.ts'

const MAX_SUB_QUERY_VALUES = 10_000

export function evaluateQuery({ source, stages }: Query, world: World): Relation {
  const start =
    source.kind === 'transaction'
      ? transactions(source, world, evaluateQuery)
      : sourceEvents(source.filter, world)
  let relation = start
  for (let at = 0; at < stages.length; at += 1) {
    const stage = stages[at]
    if (!stage) break
    const grouping: { groupBy: GroupBy | null; interval: Interval | null } = {
      groupBy: stage.kind === 'groupBy' ? stage : null,
      interval: null,
    }
    if (['functions', 'datastream', 'groupBy'].includes(stage.kind)) {
      for (let next = stages[at + 1]; next; next = stages[at + 1]) {
        if (next.kind === 'groupBy' && !grouping.groupBy) grouping.groupBy = next
        else if (next.kind === 'interval' && !grouping.interval) grouping.interval = next
        else break
        at += 1
      }
    }
    // Of `datastream received`, too: here an event is received when it happens.
    relation =
      stage.kind === 'datastream'
        ? datastream(relation, { source, isFirst: stage === stages[0] }, grouping, world)
        : evaluateStage(relation, stage, grouping, world)
  }
  return relation
}

function sourceEvents(filter: Parameters<typeof filterOf>[0], world: World): Relation {
  const { startMs, endMs } = world.window
  const logs = logsOfFilter(filter, world.logs)
  const events = world.events.filter(
    ({ log, timestampMs }) =>
      world.logs.includes(log) &&
      (startMs === null || timestampMs >= startMs) &&
      (endMs === null || timestampMs < endMs),
  )
  const relation = eventRelation(events, { ...world, logs })
  const passes = filterOf(filter, relation, world, subQueriesOf(world))
  return { ...relation, rows: relation.rows.filter(passes) }
}

function subQueriesOf(world: World) {
  const known = new Map<Query, readonly string[]>()
  return (query: Query): readonly string[] => {
    const before = known.get(query)
    if (before) return before
    const { shown, rows } = evaluateQuery(query, world)
    const [first] = shown
    const values = rows
      .map((row) => (first ? cellText(first.read(row), world.zone) : ''))
      .filter((text) => text !== '')
      .slice(0, MAX_SUB_QUERY_VALUES)
    known.set(query, values)
    return values
  }
}

function evaluateStage(
  relation: Relation,
  stage: Exclude<Stage, { readonly kind: 'datastream' }>,
  { groupBy, interval }: { groupBy: GroupBy | null; interval: Interval | null },
  world: World,
): Relation {
  const subQueries = subQueriesOf(world)
  switch (stage.kind) {
    case 'functions':
      return aggregate(relation, stage.functions, groupBy, interval, world, subQueries)
    case 'groupBy': {
      const none = {
        percentile: null,
        column: null,
        condition: null,
        conditionText: '',
        alias: null,
      }
      const count = { name: 'count', ...none } as const
      return aggregate(relation, [count], groupBy, interval, world, subQueries)
    }
    case 'percentileCut': {
      const kept = Math.ceil(Number(((relation.rows.length * stage.percentile) / 100).toFixed(9)))
      return sliceRows(relation, 0, kept)
    }
    case 'list':
      return listColumns(relation, stage.items, world)
    case 'orderBy':
      return orderRows(relation, stage, world)
    case 'where': {
      const passes = filterOf(stage.filter, relation, world, subQueries)
      return { ...relation, rows: relation.rows.filter(passes) }
    }
    case 'limit':
      return sliceRows(relation, stage.offset, stage.offset + stage.count)
    case 'display':
      return display(relation, stage, world)
    case 'extract':
      return extract(relation, stage, world)
    case 'replace':
      return replace(relation, stage, world)
    case 'round':
      return round(relation, stage, world)
    case 'dedup':
      return dedupRows(relation, stage.columns, world)
    case 'transpose':
      return stage.column ? transposeKey(relation, stage.column, world) : transpose(relation, world)
    case 'join': {
      const right = evaluateQuery(stage.query, world)
      const on = { left: stage.left, right: stage.right ?? stage.left }
      return join(relation, right, on, world)
    }
    case 'interval':
      throw new Error('interval stands directly behind functions')
  }
}
