// `order by` over rows of either kind (search-language 3.7): equal rows keep their order.
import type { OrderBy } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { subSelect } from '../event-plan.ts'
import type { Plan } from '../plan.ts'
import { sortedValue } from '../sort-keys.ts'
import { addTableColumns, columnOperand } from './made-columns.ts'

export function orderBy(plan: Plan, { keys }: OrderBy, context: CompileContext): Plan {
  const values = keys.map(({ column, direction }) => ({
    ...sortedValue(columnOperand(plan, column, context), context),
    direction: direction === 'asc' ? ('ASC' as const) : ('DESC' as const),
  }))
  const columns = values.flatMap((value) => value.columns)
  const own = values.flatMap((value) =>
    value.keys.map((sql) => ({ sql, direction: value.direction })),
  )
  if (plan.kind === 'table') {
    const order = own.map(({ sql, direction }) => `${sql} ${direction}`)
    return {
      ...addTableColumns(plan, columns),
      order: [...new Set([...order, ...plan.order])],
    }
  }
  const rows = columns.length === 0 ? plan : subSelect(plan, { more: columns }, context)
  const first = new Set(own.map(({ sql }) => sql))
  return { ...rows, order: [...own, ...rows.order.filter(({ sql }) => !first.has(sql))] }
}
