// `replace "…" with "…" in URL as Page`: a column with every match replaced
// (search-language#replace).
import type { Replace } from '../../tree.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Plan } from '../plan/plan.ts'
import { checkRegexp } from '../regexp/check-regexp.ts'
import { replacementSql } from '../regexp/replacement-sql.ts'
import { addColumns, columnOperand } from './made-columns.ts'

export function replace(plan: Plan, stage: Replace, context: CompileContext): Plan {
  const { regexp, regexpStart, replacement, replacementStart, column, alias } = stage
  const { params } = context
  checkRegexp(regexp, regexpStart, params)
  const text = shownText(columnOperand(plan, column, context), context)
  const sql = replacementSql(text, { regexp, replacement, start: replacementStart }, params)
  return addColumns(plan, [{ title: alias ?? column.name, cell: 'text', sql }], [], context)
}
