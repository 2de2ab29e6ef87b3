// `percentile 95`: the first 95 % of the rows in their order (search-language#percentile):
// ceil(rows * n / 100), in whole numbers.
import { formatNumber } from '../../stages/functions.ts'
import type { PercentileCut } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { fromWhere, orderSql, subSelect } from '../plan/event-plan.ts'
import type { EventPlan, Plan } from '../plan/plan.ts'
import { tableOrderSql } from '../plan/table-plan.ts'

export function percentileCut(
  plan: Plan,
  { percentile }: PercentileCut,
  context: CompileContext,
): Plan {
  const kept = keptRows(percentile, context)
  if (plan.kind === 'events') return cutEvents(plan, kept, context)
  const [place, total] = [context.subSelects.name(), context.subSelects.name()]
  const numbered = `SELECT *, ${numberedBy(tableOrderSql(plan), place, total)} FROM (${plan.sql})`
  return { ...plan, sql: `SELECT * FROM (${numbered}) WHERE ${place} <= ${kept(total)}` }
}

function cutEvents(
  plan: EventPlan,
  kept: (rows: string) => string,
  context: CompileContext,
): EventPlan {
  const { subSelects } = context
  const { counted } = plan
  if (counted && counted.rows === null) {
    // A count that refers to a count is planned twice as long as that one: from here on rows are
    // counted as they pass, in memory.
    const [place, total] = [subSelects.name(), subSelects.name()]
    const numbered = subSelect(plan, { more: [numberedBy(orderSql(plan), place, total)] }, context)
    return { ...numbered, conditions: [`(${place} <= ${kept(total)})`] }
  }
  // Counted before the rest runs: rows that are numbered and counted in one go would all have to
  // lie in memory.
  const count = counted
    ? subSelects.scalar(`SELECT ${kept(counted.rows ?? '')}`)
    : subSelects.scalar(`SELECT ${kept('count()')} ${fromWhere(plan)}`)
  const cut = subSelect(plan, { tail: `${orderSql(plan)} LIMIT ${count}` }, context)
  return { ...cut, counted: { rows: count } }
}

function numberedBy(order: string, place: string, total: string): string {
  return `row_number() OVER (${order.trim()}) AS ${place}, count() OVER () AS ${total}`
}

/** From the number of all rows. Wide, since the percentile may have many digits. */
function keptRows(percentile: number, { params }: CompileContext): (rows: string) => string {
  const [whole = '', fraction = ''] = formatNumber(percentile).split('.')
  const wide = (digits: string) => `toUInt256(${params.text(digits)})`
  const parts = `1${'0'.repeat(fraction.length + 2)}`
  return (rows) =>
    `toUInt64(intDiv(toUInt256(${rows}) * ${wide(`${whole}${fraction}`)} + ${wide(parts)} - 1, ${wide(parts)}))`
}
