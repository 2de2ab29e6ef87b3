// What all parts of one compilation share.

import type { ColumnsByLog } from '../resolve/known-columns.ts'
import type { SearchableLog, SearchInput } from '../search-input.ts'
import type { DateReader } from './date-test-sql.ts'
import type { SqlParams } from './sql-params.ts'
import type { SubSelects } from './sub-selects.ts'

export type CompileContext = {
  readonly params: SqlParams
  readonly subSelects: SubSelects
  readonly readDate: DateReader
  /** All that the user may see. */
  readonly visibleLogs: readonly SearchableLog[]
  readonly columns: ColumnsByLog
  readonly window: SearchInput['window']
  readonly timeZone: string
  /** Java letters. */
  readonly dateFormat: string
}
