// What a format may read of the row beside the formatted column.
import type { Operand } from '../tests/operand.ts'

/** The columns of a row by name, for templates (`column.Errors / column.Hits`). */
export type RowColumns = {
  /** All names by which a template may call a column. */
  readonly names: readonly string[]
  /** undefined: the rows have no such column. In any letter case. */
  find(name: string): Operand | undefined
}
