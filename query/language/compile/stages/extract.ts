// `extract`: each named group of a regular expression becomes a column; no match, no value
// (search-language#extract).
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Extract } from '../../tree.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Plan } from '../plan/plan.ts'
import { checkRegexp } from '../regexp/check-regexp.ts'
import { regexpGroups } from '../regexp/regexp-groups.ts'
import { addColumns, columnOperand, type MadeColumn } from './made-columns.ts'

export function extract(plan: Plan, stage: Extract, context: CompileContext): Plan {
  const { regexp, regexpStart, column } = stage
  const { params, subSelects } = context
  checkRegexp(regexp, regexpStart, params)
  const groups = subSelects.name()
  const columns = regexpGroups(regexp).flatMap((title, index): MadeColumn[] =>
    title === null ? [] : [{ title, cell: 'text', sql: `${groups}[${index + 1}]` }],
  )
  if (columns.length === 0) {
    return raiseQuery('a named group such as (?<name>...) is expected', regexpStart)
  }
  const twice = columns.find(({ title }, index) =>
    columns.slice(0, index).some((column) => column.title === title),
  )
  if (twice) raiseQuery(`the group ${twice.title} stands twice`, regexpStart)
  const text = shownText(columnOperand(plan, column, context), context)
  const shared = [`extractGroups(${text}, ${params.text(regexp)}) AS ${groups}`]
  return addColumns(plan, columns, shared, context)
}
