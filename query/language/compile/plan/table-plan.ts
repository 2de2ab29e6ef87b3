// Plans over summary tables.
import type { CompiledTable } from '../../compiled.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Filter } from '../../tree.ts'
import { FALSE, sqlAnd, sqlOr, TRUE } from '../boolean-sql.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { termRegexp } from '../terms/term-sql.ts'
import { type FilterTarget, filterSql } from '../tests/filter-sql.ts'
import { NO_COLUMN } from '../tests/operand.ts'
import { limitSql, maxRowsSql } from './event-plan.ts'
import { findTableColumn, type TablePlan, tableOperand } from './plan.ts'

export function whereTable(plan: TablePlan, filter: Filter, context: CompileContext): TablePlan {
  const condition = tableCondition(plan, filter, context)
  return condition === TRUE
    ? plan
    : { ...plan, sql: `SELECT * FROM (${plan.sql}) WHERE ${condition}` }
}

/** True or false in every row. */
export function tableCondition(plan: TablePlan, filter: Filter, context: CompileContext): string {
  return filterSql(filter, tableTarget(plan, context), context)
}

export function cutTable(
  plan: TablePlan,
  rows: { count: number; offset: number },
  context: CompileContext,
): TablePlan {
  const sql = `SELECT * FROM (${plan.sql})${tableOrderSql(plan)} ${limitSql(rows, context)}`
  return { ...plan, sql }
}

export function tableResult(
  plan: TablePlan,
  maxRows: number | null,
  context: CompileContext,
  settings: CompiledTable['settings'],
): CompiledTable {
  const shown = plan.columns.slice(0, plan.shownCount)
  const cells = shown.map(({ id, cell, printed }, index) => {
    const value = cell === 'number' ? id : `toString(${id})`
    return `${printed ?? value} AS c${index}`
  })
  return {
    kind: 'table',
    sql: `SELECT ${cells.join(', ') || '1'} FROM (${plan.sql})${tableOrderSql(plan)}${maxRowsSql(maxRows, context)}`,
    countSql: `SELECT count() AS total FROM (SELECT 1 FROM (${plan.sql}) LIMIT {countLimit:UInt64})`,
    params: context.params.values(),
    settings,
    columns: shown.map(({ title, cell, printed }) => {
      return { name: title, cell: printed === undefined ? cell : 'text' }
    }),
  }
}

/** With a space before it, or nothing. */
export function tableOrderSql({ order }: Pick<TablePlan, 'order'>): string {
  return order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`
}

/** Words look into what the shown columns hold, formats left out. */
function tableTarget(plan: TablePlan, context: CompileContext): FilterTarget {
  const { params } = context
  return {
    termsSql: (kind, terms) => {
      const shown = plan.columns.slice(0, plan.shownCount)
      if (shown.length === 0) return FALSE
      const texts = shown.map((column) => shownText(tableOperand(column), context))
      const conditions = terms.map((term) => {
        const regexp = params.text(termRegexp(term))
        return `arrayExists(value -> match(ifNull(value, ''), ${regexp}), [${texts.join(', ')}])`
      })
      return kind === 'and' ? sqlAnd(conditions) : sqlOr(conditions)
    },
    operand: (column) => {
      const found = findTableColumn(column, plan.columns)
      return found ? tableOperand(found) : NO_COLUMN
    },
    isIndexed: false,
    scopeSql: (scope) => raiseQuery('a scope stands only before the first |', scope.start),
  }
}
