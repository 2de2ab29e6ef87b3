// The stages that compile, by kind. A new one is a file of its own and a line here; the others are refused by name.
import { raiseQuery } from '../../raise-query.ts'
import { stageSyntax } from '../../stages/all-stages.ts'
import type { FunctionCall, GroupBy, Stage } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { cutPlan, withFilter } from '../event-plan.ts'
import type { Plan } from '../plan.ts'
import { cutTable, whereTable } from '../table-plan.ts'
import { datastream } from './datastream.ts'
import { dedup } from './dedup.ts'
import { extract } from './extract.ts'
import { aggregate } from './functions.ts'
import { orderBy } from './order-by.ts'
import { percentileCut } from './percentile-cut.ts'
import { replace } from './replace.ts'
import { round } from './round.ts'
import { display, list } from './shown-columns.ts'

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
      return plan.kind === 'events' ? list(plan, stage, context) : refuse(stage)
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
