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

export function eventResult(
  plan: EventPlan,
  maxRows: number,
  context: CompileContext,
  settings: CompiledEvents['settings'],
): CompiledEvents {
  const rows = `${selectFrom(plan, READ)} ORDER BY ${NEWEST_FIRST} ${limitSql({ count: maxRows, offset: 0 }, context)}`
  return {
    kind: 'events',
    sql: `SELECT ${SHOWN} FROM (${rows}) ORDER BY ${NEWEST_FIRST}`,
    countSql: `SELECT count() AS total FROM (${selectFrom(plan, '1')} LIMIT {countLimit:UInt64})`,
    params: context.params.values(),
    settings,
    cells: plan.cells,
    parsedColumns: [...plan.entries.values()].map(toParsedColumn),
  }
}
