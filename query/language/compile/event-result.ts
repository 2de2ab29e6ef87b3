// Events as the result: the rows that the search call prints (compiled.ts EventRow).
import type { CompiledEvents } from '../compiled.ts'
import { toParsedColumn } from '../resolve/known-columns.ts'
import type { CompileContext } from './compile-context.ts'
import { maxRowsSql, NEWEST_FIRST, selectFrom } from './event-plan.ts'
import type { EventPlan } from './plan.ts'

const SHOWN = [
  'toUnixTimestamp64Nano(timestamp) AS timestampNs',
  ...['log_id AS logId', 'host', 'source', 'message', 'layout', 'raw', 'size', 'ids'],
  'JSONAllPathsWithTypes(columns) AS types',
  'JSONAllValues(columns) AS values',
].join(', ')

/** Over the columns above. */
const NAMES =
  "arrayConcat(arrayFilter((name, value) -> value != '', mapKeys(types), values), mapKeys(ids))"

/** Maps as arrays of pairs: an object of JavaScript puts keys such as "1" first. */
const PAIRS = {
  output_format_json_map_as_array_of_tuples: 1,
  output_format_json_named_tuples_as_objects: 0,
} as const

export function eventResult(
  plan: EventPlan,
  maxRows: number | null,
  context: CompileContext,
  settings: CompiledEvents['settings'],
): CompiledEvents {
  const newest = `ORDER BY ${NEWEST_FIRST}${maxRowsSql(maxRows, context)}`
  return {
    kind: 'events',
    // The engine itself reads the wide columns of the rows that are shown only (lazy materialization), up to 10,000 of them.
    sql: `${selectFrom(plan, SHOWN)} ${newest}`,
    countSql: `SELECT count() AS total FROM (${selectFrom(plan, '1')} LIMIT {countLimit:UInt64})`,
    params: context.params.values(),
    settings: { ...settings, ...PAIRS },
    cells: plan.cells,
    namesSql: NAMES,
    parsedColumns: [...plan.entries.values()].map(toParsedColumn),
  }
}
