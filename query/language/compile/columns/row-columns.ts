// The columns of a plan's rows by name, for the templates of formats (`column.Errors /
// column.Hits`).
import { BUILT_IN_NAMES } from '../../built-in-columns.ts'
import type { ColumnRef } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import type { RowColumns } from '../formats/row-columns.ts'
import { findNamed, planOperand } from '../plan/event-plan.ts'
import { findTableColumn, type Plan, tableOperand } from '../plan/plan.ts'
import type { Operand } from '../tests/operand.ts'
import { resolveColumn } from './event-columns.ts'

/** `at`: where a failure about a column points to. */
export function rowColumns(plan: Plan, at: number, context: CompileContext): RowColumns {
  if (plan.kind === 'table') {
    return {
      names: plan.columns.flatMap(({ title, synonyms }) => [title, ...synonyms]),
      find: (name) => {
        const found = findTableColumn({ name }, plan.columns)
        return found && tableOperand(found)
      },
    }
  }
  const names = [...plan.names.keys(), ...BUILT_IN_NAMES, ...plan.entries.keys()]
  const find = (name: string): Operand | undefined => {
    const column: ColumnRef = { kind: 'column', name, origin: 'any', start: at, end: at }
    const isKnown =
      findNamed(plan, column) !== undefined ||
      resolveColumn(column, plan.entries).kind !== 'unknown'
    return isKnown ? planOperand(plan, column, context) : undefined
  }
  return { names, find }
}
