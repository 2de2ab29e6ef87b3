// Rows of either kind as the source of functions and groups.

import type { ColumnRef } from '../../tree.ts'
import { sqlAnd, TRUE } from '../boolean-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import { fromWhere, planOperand } from '../event-plan.ts'
import { NO_COLUMN, type Operand } from '../operand.ts'
import { findTableColumn, type Plan, tableOperand } from '../plan.ts'

export type AggregateInput = {
  /** FROM … WHERE …, with these conditions more. */
  from(conditions: readonly string[]): string
  operand(column: ColumnRef): Operand
  /** Greatest in the row that stands first. */
  readonly firstness: string
}

export function aggregateInput(plan: Plan, context: CompileContext): AggregateInput {
  if (plan.kind === 'events') {
    return {
      from: (conditions) => fromWhere({ ...plan, conditions: [...plan.conditions, ...conditions] }),
      operand: (column) => planOperand(plan, column, context),
      firstness: '(timestamp, -toInt32(partition), offset, `index`)',
    }
  }
  const order = plan.order.length === 0 ? '' : ` ORDER BY ${plan.order.join(', ')}`
  const numbered = `(SELECT *, -toInt64(row_number() OVER (${order.trim()})) AS firstness FROM (${plan.sql}))`
  return {
    from: (conditions) => {
      const condition = sqlAnd(conditions)
      return `FROM ${numbered}${condition === TRUE ? '' : ` WHERE ${condition}`}`
    },
    operand: (column) => {
      const found = findTableColumn(column, plan.columns)
      return found ? tableOperand(found) : NO_COLUMN
    },
    firstness: 'firstness',
  }
}
