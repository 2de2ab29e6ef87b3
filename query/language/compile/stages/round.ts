// `round Mean to 1 as Mean`: half away from zero; of a value that is no number nothing
// (search-language#round).
import type { Round } from '../../tree.ts'
import { numericValue } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { computedDecimal } from '../formats/short-number.ts'
import type { Plan } from '../plan/plan.ts'
import { addColumns, columnOperand } from './made-columns.ts'

export function round(plan: Plan, stage: Round, context: CompileContext): Plan {
  const { column, digits, alias } = stage
  const { subSelects } = context
  const number = subSelects.name()
  const value = numericValue(columnOperand(plan, column, context))
  // By way of the text: the double nearest to the rounded decimal. Beyond decimals a number is
  // whole.
  const rounded = `toFloat64OrNull(toString(round(${computedDecimal(number)}, ${digits})))`
  const sql = `ifNull(${rounded}, ${number})`
  const made = { title: alias ?? column.name, cell: 'number', sql } as const
  return addColumns(plan, [made], [`${value} AS ${number}`], context)
}
