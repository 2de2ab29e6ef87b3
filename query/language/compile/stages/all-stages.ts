// The stages, by kind. A new one is a file of its own and a line here.
import { raiseQuery } from '../../parse/raise-query.ts'
import type { FunctionCall, GroupBy, Stage } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { aggregate, type Grouping } from '../groups/functions.ts'
import { cutPlan, withFilter } from '../plan/event-plan.ts'
import type { Plan } from '../plan/plan.ts'
import { cutTable, whereTable } from '../plan/table-plan.ts'
import { datastream } from './datastream.ts'
import { dedup } from './dedup.ts'
import { extract } from './extract.ts'
import { join } from './join.ts'
import { orderBy } from './order-by.ts'
import { percentileCut } from './percentile-cut.ts'
import { replace } from './replace.ts'
import { round } from './round.ts'
import { display, list } from './shown-columns.ts'
import { transpose } from './transpose.ts'

/** All stages over the rows of the source. Functions and datastream take the grouping that stands
 *  directly after them. */
export function compileStages(
  source: Plan,
  stages: readonly Stage[],
  context: CompileContext,
): Plan {
  let plan = source
  for (let at = 0; at < stages.length; at += 1) {
    const stage = stages[at]
    if (!stage) break
    const behind = takesGrouping(stage) ? groupingBehind(stages.slice(at + 1)) : NO_GROUPING
    plan = compileStage(plan, stage, { ...behind, isFirst: at === 0 }, context)
    at += (behind.groupBy ? 1 : 0) + (behind.interval ? 1 : 0)
  }
  return plan
}

const NO_LIST = 'list needs events, a table has display only'
const NO_GROUPING: Grouping = { groupBy: null, interval: null }

/** `isFirst`: directly after the filter. */
type Place = Grouping & { readonly isFirst: boolean }

/** `group by` alone means `count | group by`. */
function takesGrouping({ kind }: Stage): boolean {
  return kind === 'functions' || kind === 'datastream' || kind === 'groupBy'
}

/** Either order, each at most once (search-language#how-a-query-is-built). */
function groupingBehind([first, second]: readonly Stage[]): Grouping {
  if (first?.kind === 'groupBy') {
    return { groupBy: first, interval: second?.kind === 'interval' ? second : null }
  }
  if (first?.kind !== 'interval') return NO_GROUPING
  return { groupBy: second?.kind === 'groupBy' ? second : null, interval: first }
}

function compileStage(plan: Plan, stage: Stage, grouping: Place, context: CompileContext): Plan {
  switch (stage.kind) {
    case 'functions':
      return aggregate(plan, stage.functions, grouping, context)
    case 'groupBy':
      return aggregate(plan, [countOf(stage)], { ...grouping, groupBy: stage }, context)
    case 'datastream':
      return datastream(stage, plan, grouping, context)
    case 'transpose':
      return transpose(plan, stage, context)
    case 'join':
      return join(plan, stage, context)
    case 'where':
      return plan.kind === 'events'
        ? withFilter(plan, stage.filter, context)
        : whereTable(plan, stage.filter, context)
    case 'limit':
      return plan.kind === 'events' ? cutPlan(plan, stage, context) : cutTable(plan, stage, context)
    case 'list':
      return plan.kind === 'events' ? list(plan, stage, context) : raiseQuery(NO_LIST, stage.start)
    case 'orderBy':
      return orderBy(plan, stage, context)
    case 'percentileCut':
      return percentileCut(plan, stage, context)
    case 'dedup':
      return dedup(plan, stage, context)
    case 'display':
      return display(plan, stage, context)
    case 'extract':
      return extract(plan, stage, context)
    case 'replace':
      return replace(plan, stage, context)
    case 'round':
      return round(plan, stage, context)
    case 'interval':
      return raiseQuery('interval must stand directly after a function', stage.start)
  }
}

/** `group by` without functions before it means `count | group by`. */
function countOf({ start }: GroupBy): FunctionCall {
  const nothing = { percentile: null, column: null, condition: null, conditionText: '' }
  return { kind: 'function', name: 'count', start, end: start, ...nothing, alias: null }
}
