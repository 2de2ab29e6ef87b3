// The context of one compilation, from what a search is compiled from.

import { Failure } from '../../../schemas/failures.ts'
import { readCallTime } from '../../../schemas/time/call-time.ts'
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import type { SearchInput } from '../search-input.ts'
import type { CompileContext } from './compile-context.ts'
import { planQuery } from './plan/plan-query.ts'
import { SubSelects } from './plan/sub-selects.ts'
import { TransposedNames } from './plan/transposed-names.ts'
import { SqlParams } from './sql-params.ts'
import { columnTestSql } from './tests/column-test-sql.ts'
import { subQuerySql } from './tests/sub-query-sql.ts'

/** The store plans a query in brackets anew for each query around it, and cannot be ended
 *  meanwhile. */
const MAX_DEPTH = 8
const MAX_QUERIES = 40

export function makeContext(
  input: Omit<SearchInput, 'maxRows'>,
  options: { readonly readsAll: boolean } = { readsAll: false },
): CompileContext {
  const zone = timeZone(input.timeZone)
  const dateFormat = compileDateFormat(input.dateFormat)
  const context: CompileContext = {
    params: new SqlParams(),
    subSelects: new SubSelects(),
    transposed: new TransposedNames(input.transposed ?? []),
    readDate: (text) => readCallTime(text, { nowMs: input.nowMs, zone, dateFormat }),
    planQuery: limited((query) => planQuery(query, context)),
    subQuerySql: (operand, check) => subQuerySql(operand, check, context),
    columnTestSql: (left, operator, right) => columnTestSql(left, operator, right, context),
    visibleLogs: input.visibleLogs,
    columns: input.columns,
    masks: input.masks ?? [],
    window: input.window,
    arrival: input.arrival,
    readsAll: options.readsAll,
    timeZone: input.timeZone,
    dateFormat: input.dateFormat,
  }
  return context
}

/** Queries in brackets: no deeper and no more than the store plans in a second. */
function limited(plan: CompileContext['planQuery']): CompileContext['planQuery'] {
  let depth = 0
  let count = 0
  return (query) => {
    depth += 1
    count += 1
    if (depth > MAX_DEPTH) refuse(`queries in brackets are nested deeper than ${MAX_DEPTH}`)
    if (count > MAX_QUERIES) refuse(`the query holds more than ${MAX_QUERIES} queries in brackets`)
    const made = plan(query)
    depth -= 1
    return made
  }
}

function refuse(reason: string): never {
  throw new Failure('search.resources', { reason })
}
