// A whole query as a plan: the search itself, and every query in brackets.
import type { Query } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { compileStages } from '../stages/all-stages.ts'
import { sourcePlan } from './event-plan.ts'
import type { Plan } from './plan.ts'
import { transactionPlan } from './transaction-plan.ts'

export function planQuery({ source, stages }: Query, context: CompileContext): Plan {
  const plan =
    source.kind === 'transaction'
      ? transactionPlan(source, context)
      : sourcePlan(source.filter, context)
  return compileStages(plan, stages, context)
}
