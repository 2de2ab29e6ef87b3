// From the text of a query to SQL: the one entry for a search. Pure.
import { compileDateFormat } from '../../schemas/date-format.ts'
import { parseExplicitTime } from '../../schemas/time-window.ts'
import { timeZone } from '../../schemas/time-zone.ts'
import type { CompileContext } from './compile/compile-context.ts'
import { sourcePlan } from './compile/event-plan.ts'
import { eventResult } from './compile/event-result.ts'
import { SqlParams } from './compile/sql-params.ts'
import { compileStages } from './compile/stages/all-stages.ts'
import { GROUP_SETTINGS } from './compile/stages/group-limit.ts'
import { tableResult } from './compile/table-plan.ts'
import type { CompiledSearch } from './compiled.ts'
import { parseQuery } from './parse-query.ts'
import { raiseQuery } from './raise-query.ts'
import { makeCatalog } from './resolve/known-columns.ts'
import type { SearchableLog, SearchInput } from './search-input.ts'

const SETTINGS = {
  // Words are looked for in text OR identifiers: both sides use their indexes.
  use_skip_indexes_for_disjunctions: 1,
  // Read no further than the newest rows that are wanted: with it, the newest 100 of a scan take three times as long.
  read_in_order_use_buffering: 0,
  // A query of 32,768 characters makes long SQL.
  max_query_size: 16_777_216,
  max_ast_elements: 1_000_000,
  max_expanded_ast_elements: 5_000_000,
  ...GROUP_SETTINGS,
} as const

/** Rows times conditions of a block. */
const BLOCK_WORK = 65_536
const FEW_CONDITIONS = 8
const LEAST_BLOCK_ROWS = 128

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
    readDate: (text) => parseExplicitTime(text, format, zone)?.startMs,
    visibleLogs,
    columns,
    window,
    timeZone: input.timeZone,
  }
  const plan = compileStages(sourcePlan(source.filter, context), query.stages, context)
  const settings = { ...SETTINGS, ...blockSettings(context.params.conditions) }
  return plan.kind === 'events'
    ? eventResult(plan, maxRows, context, settings)
    : tableResult(plan, maxRows, context, settings)
}

/** The engine looks for a cancel between blocks only: where much is worked out for each row, a block has fewer rows, so that a
 *  search that was ended lets go within a second (decision 4.7). */
function blockSettings(conditions: number): Readonly<Record<string, number>> {
  if (conditions <= FEW_CONDITIONS) return {}
  return { max_block_size: Math.max(LEAST_BLOCK_ROWS, Math.floor(BLOCK_WORK / conditions)) }
}
