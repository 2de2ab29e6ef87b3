// `dedup`: the first row of each combination of values, in the current order
// (search-language#dedup). Texts are told apart as in `group by`; a missing value is one, too.
import type { Dedup } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { identitySql, keySql } from '../groups/key-sql.ts'
import { orderSql, recounted, subSelect } from '../plan/event-plan.ts'
import type { Plan } from '../plan/plan.ts'
import { tableOrderSql } from '../plan/table-plan.ts'
import { columnOperand } from './made-columns.ts'

export function dedup(plan: Plan, { columns }: Dedup, context: CompileContext): Plan {
  const keys = columns.map((column) => {
    const { cell, sql } = keySql(columnOperand(plan, column, context), context.params, 'one')
    return identitySql(cell, sql)
  })
  const tail = ` LIMIT 1 BY ${keys.join(', ')}`
  if (plan.kind === 'events') {
    return recounted(subSelect(plan, { tail: `${orderSql(plan)}${tail}` }, context))
  }
  return { ...plan, sql: `SELECT * FROM (${plan.sql})${tableOrderSql(plan)}${tail}` }
}
