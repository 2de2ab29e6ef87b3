// The context of one compilation, from what a search is compiled from.
import { compileDateFormat } from '../../../schemas/date-format.ts'
import { parseExplicitTime } from '../../../schemas/time-window.ts'
import { timeZone } from '../../../schemas/time-zone.ts'
import type { SearchInput } from '../search-input.ts'
import type { CompileContext } from './compile-context.ts'
import { planQuery } from './plan-query.ts'
import { SqlParams } from './sql-params.ts'
import { subQuerySql } from './sub-query-sql.ts'
import { SubSelects } from './sub-selects.ts'
import { TransposedNames } from './transposed-names.ts'

export function makeContext(
  input: Omit<SearchInput, 'maxRows'>,
  options: { readonly readsAll: boolean } = { readsAll: false },
): CompileContext {
  const zone = timeZone(input.timeZone)
  const format = compileDateFormat(input.dateFormat)
  const context: CompileContext = {
    params: new SqlParams(),
    subSelects: new SubSelects(),
    transposed: new TransposedNames(input.transposed ?? []),
    readDate: (text) => parseExplicitTime(text, format, zone)?.startMs,
    planQuery: (query) => planQuery(query, context),
    subQuerySql: (operand, check) => subQuerySql(operand, check, context),
    visibleLogs: input.visibleLogs,
    columns: input.columns,
    window: input.window,
    readsAll: options.readsAll,
    timeZone: input.timeZone,
    dateFormat: input.dateFormat,
  }
  return context
}
