// Functions with their grouping, which is known before they run (search-language 1.2, 3.1, 3.2).
import { raiseQuery } from '../../raise-query.ts'
import { functionText, functionTitle } from '../../stages/functions.ts'
import { keyTitle } from '../../stages/group-by.ts'
import type { FunctionCall, GroupBy, GroupKey } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Plan, TableColumn, TablePlan } from '../plan.ts'
import { type AggregateInput, aggregateInput } from './aggregate-input.ts'
import { groupOrder, refuseManyGroups } from './group-limit.ts'
import { identitySql, type Key, keySql } from './key-sql.ts'

/** An aggregate function of the store and its arguments. */
type Aggregate = { readonly name: string; readonly argument: string }

export function aggregate(
  plan: Plan,
  calls: readonly FunctionCall[],
  groupBy: GroupBy | undefined,
  context: CompileContext,
): TablePlan {
  const input = aggregateInput(plan, context)
  const aggregates = calls.map((call) => compileCall(call, input, context))
  const functionColumns = calls.map((call, index): TableColumn => {
    const synonyms = [functionText(call), call.name]
    return { id: `v${index}`, title: functionTitle(call), synonyms, cell: 'number' }
  })
  if (!groupBy) {
    const values = aggregates.map(
      ({ name, argument }, index) => `${name}(${argument}) AS v${index}`,
    )
    return {
      kind: 'table',
      sql: `SELECT ${values.join(', ')} ${input.from([])}`,
      order: [],
      columns: functionColumns,
      shownCount: functionColumns.length,
    }
  }
  return group(input, aggregates, functionColumns, groupBy, context)
}

/**
 * In two steps: by exact value, then by value without letter case. So the spelling of the first row costs one comparison a
 * distinct value, and the store groups low-cardinality columns by their dictionary.
 */
function group(
  input: AggregateInput,
  aggregates: readonly Aggregate[],
  functionColumns: readonly TableColumn[],
  groupBy: GroupBy,
  context: CompileContext,
): TablePlan {
  const keys = groupBy.keys.map((key) => compileKey(key, input, context))
  const keyColumns = groupBy.keys.map((key, index): TableColumn => {
    const cell = keys[index]?.cell ?? 'text'
    return { id: `k${index}`, title: keyTitle(key), synonyms: [key.column.name], cell }
  })
  const inner = [
    ...keys.map(({ sql }, index) => `${sql} AS e${index}`),
    ...aggregates.map(({ name, argument }, index) => `${name}State(${argument}) AS s${index}`),
    `max(${input.firstness}) AS first`,
  ]
  const exact = `SELECT ${inner.join(', ')} ${input.from(keys.map(({ exists }) => exists))} GROUP BY ${keys.map((_, index) => `e${index}`).join(', ')}`
  const outer = [
    ...keys.map(({ cell }, index) =>
      cell === 'text' ? `argMax(e${index}, first) AS k${index}` : `any(e${index}) AS k${index}`,
    ),
    ...aggregates.map(({ name }, index) => `${name}Merge(s${index}) AS v${index}`),
  ]
  const identities = keys.map(({ cell }, index) => identitySql(cell, `e${index}`))
  const groups = `SELECT ${outer.join(', ')} FROM (${exact}) GROUP BY ${identities.join(', ')}`
  const columns = [...keyColumns, ...functionColumns]
  return {
    kind: 'table',
    sql: refuseManyGroups(groups),
    order: groupOrder(functionColumns, keyColumns),
    columns,
    shownCount: columns.length,
  }
}

export function compileKey(key: GroupKey, input: AggregateInput, { params }: CompileContext): Key {
  if (key.format) raiseQuery('a format is not supported yet', key.format.start)
  if (key.missingText !== null) raiseQuery('or behind a key is not supported yet', key.start)
  return keySql(input.operand(key.column), params, 'several')
}

function compileCall(
  call: FunctionCall,
  input: AggregateInput,
  { params }: CompileContext,
): Aggregate {
  if (call.condition) raiseQuery('if behind a function is not supported yet', call.start)
  if (call.name === 'count') {
    if (!call.column) return { name: 'count', argument: '' }
    return { name: 'countIf', argument: keySql(input.operand(call.column), params, 'one').exists }
  }
  if (call.name !== 'distinct count' || !call.column) {
    return raiseQuery(`${call.name} is not supported yet`, call.start)
  }
  const { cell, sql, exists } = keySql(input.operand(call.column), params, 'one')
  return { name: 'uniqExactIf', argument: `${identitySql(cell, sql)}, ${exists}` }
}
