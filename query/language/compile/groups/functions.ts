// Functions with their grouping, which is known before they run
// (search-language#how-a-query-is-built, #functions, #interval).
import { functionNames, functionTitle } from '../../stages/functions.ts'
import type { FunctionCall, GroupBy, Interval } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Plan, TableColumn, TablePlan } from '../plan/plan.ts'
import { aggregateInput } from './aggregate-input.ts'
import { type Calculation, calculation, dependsOnPlace } from './function-sql.ts'
import { compileKey } from './group-key.ts'
import { groupRows } from './group-rows.ts'

export type Grouping = { readonly groupBy: GroupBy | null; readonly interval: Interval | null }

export function aggregate(
  plan: Plan,
  calls: readonly FunctionCall[],
  { groupBy, interval }: Grouping,
  context: CompileContext,
): TablePlan {
  const groupKeys = groupBy?.keys ?? []
  const needsPlace = groupKeys.length > 0 || calls.some(dependsOnPlace)
  const input = aggregateInput(plan, needsPlace, context)
  const calculations = calls.map((call) => calculation(call, input, context))
  const functions = calls.map((call, index): TableColumn => {
    const cell = calculations[index]?.cell ?? 'number'
    return { id: `v${index}`, title: titleAmong(calls, call), synonyms: functionNames(call), cell }
  })
  if (!groupBy && !interval) {
    return {
      kind: 'table',
      sql: `SELECT ${results(calculations).join(', ')} FROM (SELECT ${direct(calculations).join(', ')} ${input.from([])})`,
      order: [],
      columns: functions,
      shownCount: functions.length,
    }
  }
  const keys = groupKeys.map((key) => compileKey(key, input, context))
  return groupRows(input, { functions, calculations, keys, interval }, context)
}

/** With its condition where another function is called the same without. */
function titleAmong(calls: readonly FunctionCall[], call: FunctionCall): string {
  const title = functionTitle(call)
  const { alias, condition, conditionText } = call
  const isAlone = calls.every(
    (other) => other === call || fold(functionTitle(other)) !== fold(title),
  )
  if (isAlone || alias !== null || condition === null) return title
  return `${title} if (${conditionText})`
}

function fold(title: string): string {
  return title.toLowerCase()
}

function direct(calculations: readonly Calculation[]): string[] {
  const columns = calculations.flatMap(({ aggregates }, index) =>
    aggregates.map(
      ({ name, parameters, argument }, at) =>
        `${name}${parameters}(${argument}) AS s${index}_${at}`,
    ),
  )
  return columns.length === 0 ? ['count()'] : columns
}

function results(calculations: readonly Calculation[]): string[] {
  return calculations.map(({ aggregates, result }, index) => {
    return `${result(aggregates.map((_, at) => `s${index}_${at}`))} AS v${index}`
  })
}
