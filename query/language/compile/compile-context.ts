// What all parts of one compilation share.

import type { MaskTarget } from '../../../schemas/masking/mask-rule.ts'
import type { ColumnsByLog } from '../column-entries.ts'
import type { SearchableLog, SearchInput } from '../search-input.ts'
import type { Check, CompareOperator, Query } from '../tree.ts'
import type { Plan } from './plan/plan.ts'
import type { SubSelects } from './plan/sub-selects.ts'
import type { TransposedNames } from './plan/transposed-names.ts'
import type { SqlParams } from './sql-params.ts'
import type { DateReader } from './tests/date-test-sql.ts'
import type { Operand } from './tests/operand.ts'

export type CompileContext = {
  readonly params: SqlParams
  readonly subSelects: SubSelects
  readonly transposed: TransposedNames
  readonly readDate: DateReader
  /** Plans a query in brackets, over the same window and logs; handed over to avoid a cycle of
   *  modules. */
  readonly planQuery: (query: Query) => Plan
  /** `column in [ query ]`. */
  readonly subQuerySql: (operand: Operand, check: Check & { readonly kind: 'subQuery' }) => string
  /** `column > column.other`. */
  readonly columnTestSql: (left: Operand, operator: CompareOperator, right: Operand) => string
  /** All that the user may see. */
  readonly visibleLogs: readonly SearchableLog[]
  readonly columns: ColumnsByLog
  /** What policies hide from the user. */
  readonly masks: readonly MaskTarget[]
  readonly window: SearchInput['window']
  readonly arrival: SearchInput['arrival']
  readonly timeZone: string
  /** Very many rows are read: then two steps pay, where usually one is enough. */
  readonly readsAll: boolean
  /** A date pattern in Java's letters. */
  readonly dateFormat: string
}
