// Events as the result: the rows that the search call prints (compiled.ts EventRow).
import type { CompiledEvents } from '../compiled.ts'
import { toParsedColumn } from '../resolve/known-columns.ts'
import type { CompileContext } from './compile-context.ts'
import { limitSql, NEWEST_FIRST, selectFrom } from './event-plan.ts'
import type { EventPlan } from './plan.ts'

const READ = [
  ...['timestamp', 'log_id', 'host', 'source', 'message', 'layout', 'raw', 'size', 'ids'],
  ...['columns', 'partition', 'offset', '`index`'],
].join(', ')

// Numbers as JSON.stringify prints them: with a sign in the exponent.
const VALUES =
  "arrayMap((value, type) -> if(type = 'Float64', replaceRegexpOne(value, 'e([0-9])', 'e+\\\\1'), value), JSONAllValues(columns), mapValues(JSONAllPathsWithTypes(columns)))"

const SHOWN = [
  'toString(toUnixTimestamp64Nano(timestamp)) AS timestampNs',
  ...['log_id AS logId', 'host', 'source', 'message', 'layout', 'raw', 'size', 'ids'],
  'JSONAllPaths(columns) AS paths',
  `${VALUES} AS values`,
  'mapValues(JSONAllPathsWithTypes(columns)) AS types',
].join(', ')

const PLACE = 'timestamp, partition, offset, `index`'
/** Up to so many rows are found by their place first; a set of more would cost more than it saves. */
const MAX_PLACES = 10_000

export function eventResult(
  plan: EventPlan,
  maxRows: number,
  context: CompileContext,
  settings: CompiledEvents['settings'],
): CompiledEvents {
  const newest = `ORDER BY ${NEWEST_FIRST} ${limitSql({ count: maxRows, offset: 0 }, context)}`
  return {
    kind: 'events',
    sql: `SELECT ${SHOWN} FROM (${selectRows(plan, newest, maxRows)}) ORDER BY ${NEWEST_FIRST}`,
    countSql: `SELECT count() AS total FROM (${selectFrom(plan, '1')} LIMIT {countLimit:UInt64})`,
    params: context.params.values(),
    settings,
    cells: plan.cells,
    parsedColumns: [...plan.entries.values()].map(toParsedColumn),
  }
}

/**
 * The filter reads and sorts places only; the wide columns are read of the rows that are shown. With all columns at once the
 * engine sorts what it need not: 590 against 230 ms for the newest 100 of 1 M events with a number in the text, 63 against 38 of all.
 */
function selectRows(plan: EventPlan, newest: string, maxRows: number): string {
  if (!plan.isIndexed || maxRows > MAX_PLACES) return `${selectFrom(plan, READ)} ${newest}`
  const places = `${selectFrom(plan, PLACE)} ${newest}`
  return selectFrom({ ...plan, conditions: [`(${PLACE}) IN (${places})`] }, READ)
}
