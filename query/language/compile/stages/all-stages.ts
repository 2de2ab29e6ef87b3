// The stages that compile, by kind. A new one is a file of its own and a line here; the others are refused by name.
import { raiseQuery } from '../../raise-query.ts'
import { stageSyntax } from '../../stages/all-stages.ts'
import type { FunctionCall, GroupBy, Stage } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { cutPlan, withFilter } from '../event-plan.ts'
import type { Plan } from '../plan.ts'
import { cutTable, whereTable } from '../table-plan.ts'
import { datastream } from './datastream.ts'
import { aggregate } from './functions.ts'
import { showEventColumns, showTableColumns } from './shown-columns.ts'

/** All stages over the rows of the source. Functions and datastream take the grouping that stands directly behind them. */
export function compileStages(
  source: Plan,
  stages: readonly Stage[],
  context: CompileContext,
): Plan {
  let plan = source
  for (let at = 0; at < stages.length; at += 1) {
    const stage = stages[at]
    if (!stage) break
    const next = stages[at + 1]
    const takesGroup = stage.kind === 'functions' || stage.kind === 'datastream'
    const groupBy = takesGroup && next?.kind === 'groupBy' ? next : undefined
    const interval = stages[at + (groupBy ? 2 : 1)]
    if (takesGroup && interval?.kind === 'interval') refuse(interval)
    plan = compileStage(plan, stage, groupBy, context)
    if (groupBy) at += 1
  }
  return plan
}

function compileStage(
  plan: Plan,
  stage: Stage,
  groupBy: GroupBy | undefined,
  context: CompileContext,
): Plan {
  switch (stage.kind) {
    case 'functions':
      return aggregate(plan, stage.functions, groupBy, context)
    case 'groupBy':
      return aggregate(plan, [countOf(stage)], stage, context)
    case 'datastream':
      return datastream(stage, plan, groupBy, context)
    case 'where':
      return plan.kind === 'events'
        ? withFilter(plan, stage.filter, context)
        : whereTable(plan, stage.filter, context)
    case 'limit':
      return plan.kind === 'events' ? cutPlan(plan, stage, context) : cutTable(plan, stage, context)
    case 'list':
      return plan.kind === 'events' ? showEventColumns(plan, stage.items) : refuse(stage)
    case 'display': {
      const format = stage.items.find((item) => item.format)?.format
      if (!stage.isOnly) return refuse(stage)
      if (format) return raiseQuery('a format is not supported yet', format.start)
      return plan.kind === 'events'
        ? showEventColumns(plan, stage.items)
        : showTableColumns(plan, stage.items)
    }
    case 'interval':
    case 'percentileCut':
    case 'orderBy':
    case 'extract':
    case 'replace':
    case 'round':
    case 'dedup':
    case 'transpose':
    case 'join':
      return refuse(stage)
  }
}

function refuse(stage: Stage): never {
  const [word] = stageSyntax(stage.kind).words
  return raiseQuery(`${word ?? stage.kind} is not supported yet`, stage.start)
}

/** `group by` without functions before it means `count | group by`. */
function countOf({ start }: GroupBy): FunctionCall {
  const nothing = { percentile: null, column: null, condition: null, alias: null }
  return { kind: 'function', name: 'count', start, end: start, ...nothing }
}
