// `order by` over rows of either kind (search-language 3.7): equal rows keep their order.
import type { OrderBy } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Plan } from '../plan.ts'
import { sortKeys } from '../sort-keys.ts'
import { columnOperand } from './made-columns.ts'

export function orderBy(plan: Plan, { keys }: OrderBy, context: CompileContext): Plan {
  const own = keys.flatMap(({ column, direction }) =>
    sortKeys(
      columnOperand(plan, column, context),
      direction === 'asc' ? 'ASC' : 'DESC',
      context.params,
    ),
  )
  if (plan.kind === 'table') {
    const order = own.map(({ sql, direction }) => `${sql} ${direction}`)
    return { ...plan, order: [...new Set([...order, ...plan.order])] }
  }
  const first = new Set(own.map(({ sql }) => sql))
  return { ...plan, order: [...own, ...plan.order.filter(({ sql }) => !first.has(sql))] }
}
