// From the text of a query to SQL: the one entry for a search. Pure.
import { compileDateFormat } from '../../schemas/date-format.ts'
import { parseExplicitTime } from '../../schemas/time-window.ts'
import { timeZone } from '../../schemas/time-zone.ts'
import type { CompileContext } from './compile/compile-context.ts'
import { engineSettings } from './compile/engine-settings.ts'
import { sourcePlan } from './compile/event-plan.ts'
import { eventResult } from './compile/event-result.ts'
import { SqlParams } from './compile/sql-params.ts'
import { compileStages } from './compile/stages/all-stages.ts'
import { SubSelects } from './compile/sub-selects.ts'
import { tableResult } from './compile/table-plan.ts'
import type { CompiledSearch } from './compiled.ts'
import { parseQuery } from './parse-query.ts'
import { raiseQuery } from './raise-query.ts'
import { makeCatalog } from './resolve/known-columns.ts'
import type { SearchableLog, SearchInput } from './search-input.ts'

/** Ids of the logs whose columns compileSearch needs: cheap, does not fail for a query that does not parse. */
export function candidateLogs(
  _text: string,
  visibleLogs: readonly SearchableLog[],
): readonly number[] {
  return visibleLogs.map((log) => log.id)
}

/** Throws Failure `search.query` { position (from 1), reason }. */
export function compileSearch(input: SearchInput): CompiledSearch {
  const { visibleLogs, columns, window, maxRows } = input
  const query = parseQuery(input.text, makeCatalog(visibleLogs, columns))
  const { source } = query
  if (source.kind === 'transaction') {
    return raiseQuery('transaction is not supported yet', source.start)
  }
  const zone = timeZone(input.timeZone)
  const format = compileDateFormat(input.dateFormat)
  const context: CompileContext = {
    params: new SqlParams(),
    subSelects: new SubSelects(),
    readDate: (text) => parseExplicitTime(text, format, zone)?.startMs,
    visibleLogs,
    columns,
    window,
    timeZone: input.timeZone,
    dateFormat: input.dateFormat,
  }
  const plan = compileStages(sourcePlan(source.filter, context), query.stages, context)
  const settings = engineSettings(context.params)
  const compiled =
    plan.kind === 'events'
      ? eventResult(plan, maxRows, context, settings)
      : tableResult(plan, maxRows, context, settings)
  const { subSelects } = context
  return {
    ...compiled,
    sql: subSelects.finish(compiled.sql),
    countSql: subSelects.finish(compiled.countSql),
  }
}
