// A format (search-language 4.1) as SQL: the text that a cell shows, or that `group by … in … format` groups by.
import { raiseQuery } from '../../raise-query.ts'
import type { Format } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Operand } from '../operand.ts'

/** The other columns of a row, for templates (`column.Errors / column.Hits`). */
export type RowColumns = {
  /** All names by which a template may call a column. */
  readonly names: readonly string[]
  /** undefined: the rows have no such column. In any letter case. */
  find(name: string): Operand | undefined
}

/** String SQL, never NULL, '' where there is nothing to show. `operand`: the formatted column (`simple`, `expression` and `query` read `row` alone). */
export function formatSql(
  format: Format,
  _operand: Operand,
  _row: RowColumns,
  _context: CompileContext,
): string {
  return raiseQuery('a format is not supported yet', format.start)
}
