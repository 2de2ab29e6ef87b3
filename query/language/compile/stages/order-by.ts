// `order by` over rows of either kind (search-language#order-by): equal rows keep their order, but
// for events of one time, which stand in order of receipt where times ascend (decision 2.8).
import type { OrderBy, OrderKey } from '../../tree.ts'
import { sortedColumn, sortedValue } from '../columns/sort-keys.ts'
import type { CompileContext } from '../compile-context.ts'
import { carrySql, columnId, NEWEST_FIRST, subSelect } from '../plan/event-plan.ts'
import { type EventPlan, findTableColumn, type Plan, type TablePlan } from '../plan/plan.ts'
import { addTableColumns, columnOperand } from './made-columns.ts'

const OLDEST_FIRST: EventPlan['order'] = NEWEST_FIRST.map(({ sql, direction }) => ({
  sql,
  direction: direction === 'ASC' ? 'DESC' : 'ASC',
}))

export function orderBy(plan: Plan, { keys }: OrderBy, context: CompileContext): Plan {
  return plan.kind === 'table' ? orderTable(plan, keys, context) : orderEvents(plan, keys, context)
}

/** A column that was sorted by before has its keys already, and in the old order they say nothing
 *  any more. */
function orderEvents(
  plan: EventPlan,
  keys: readonly OrderKey[],
  context: CompileContext,
): EventPlan {
  const columns: string[] = []
  const values = keys.map(({ column, direction }) => {
    const id = columnId(plan, column)
    const known = plan.sorted.get(id)
    if (known) return { id, direction, keys: known.keys, level: known.level }
    const made = sortedValue(columnOperand(plan, column, context), context)
    columns.push(...made.columns)
    return { id, direction, keys: made.keys, level: null }
  })
  const rows = columns.length === 0 ? plan : subSelect(plan, { more: columns }, context)
  const level = rows.layers.length
  const own = values.flatMap((value) =>
    value.keys.map((key) => ({
      sql: carrySql(key, rows.layers.slice(value.level ?? level)),
      direction: value.direction === 'asc' ? ('ASC' as const) : ('DESC' as const),
    })),
  )
  const sorted = new Map(rows.sorted)
  for (const value of values)
    sorted.set(value.id, { keys: value.keys, level: value.level ?? level })
  const isOldestFirst = own.some(({ sql, direction }) => sql === 'timestamp' && direction === 'ASC')
  const ties = isOldestFirst ? OLDEST_FIRST : []
  return { ...rows, sorted, order: withoutRepeats([...own, ...ties, ...rows.order]) }
}

function orderTable(
  plan: TablePlan,
  keys: readonly OrderKey[],
  context: CompileContext,
): TablePlan {
  const columns: string[] = []
  const sorted = new Map(plan.sorted)
  const own = keys.flatMap(({ column, direction }) => {
    const found = findTableColumn(column, plan.columns)
    if (!found) return []
    let names = sorted.get(found.id)
    if (!names) {
      const made = sortedColumn(found, context)
      columns.push(...made.columns)
      names = made.keys
      sorted.set(found.id, names)
    }
    return names.map((name) => `${name} ${direction === 'asc' ? 'ASC' : 'DESC'}`)
  })
  const order = withoutRepeats([...own, ...plan.order].map((key) => ({ sql: nameOf(key), key })))
  return { ...addTableColumns(plan, columns), sorted, order: order.map(({ key }) => key) }
}

/** The name in a key with its direction. */
function nameOf(key: string): string {
  return key.split(' ', 1)[0] ?? ''
}

function withoutRepeats<Key extends { readonly sql: string }>(keys: readonly Key[]): Key[] {
  const seen = new Set<string>()
  return keys.filter(({ sql }) => !seen.has(sql) && seen.add(sql))
}
