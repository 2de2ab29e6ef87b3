// Intervals without events are printed, too: from the start to the end of the window, of an open
// one from the first to the last event (search-language#interval).

import { REFUSALS } from '../../../../schemas/store/refusals.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Buckets } from './bucket-sql.ts'
import { cutMany, refuseSql } from './group-limit.ts'

/** What a DateTime64(9) holds, in seconds. */
const FIRST_S = -2_208_988_800
const LAST_S = 9_223_372_036

/** `ids` are the columns of `rows` beside `bucket`, `empties` what they hold in an interval without
 *  rows: same types. */
export function fillBuckets(
  rows: string,
  { ids, empties }: { ids: readonly string[]; empties: readonly string[] },
  { start, starts }: Buckets,
  context: CompileContext,
): string {
  const { params, window } = context
  const second = (ms: number) =>
    params.add(String(Math.min(Math.max(Math.floor(ms / 1000), FIRST_S), LAST_S)), 'Int64')
  const first = window.startMs === null ? 'first' : second(window.startMs)
  const last = window.endMs === null ? 'last' : second(window.endMs - 1)
  const found = [
    `groupArray(${REFUSALS.buckets.limit + 1})(tuple(bucket, toUInt8(0), ${ids.join(', ')})) AS found`,
    'toInt64(intDiv(min(bucket), 1000)) AS first',
    'toInt64(intDiv(max(bucket), 1000)) AS last',
    'count() AS many',
  ]
  const isEmpty = window.startMs === null || window.endMs === null ? 'many = 0' : '0'
  const inside = `arrayFilter(start -> start >= ${start(first, first)} AND start <= ${last}, ${starts(first, last)})`
  const empty = `arrayMap(start -> tuple(start * 1000, toUInt8(1), ${empties.join(', ')}), if(${isEmpty}, [], ${inside}))`
  const all = `SELECT arrayJoin(arrayConcat(found, ${empty})) AS row FROM (SELECT ${found.join(', ')} FROM (${rows})) WHERE ${refuseSql('many', 'buckets')} = 0`
  const columns = ids.map((id, index) => `row.${index + 3} AS ${id}`)
  return `SELECT row.1 AS bucket, ${columns.join(', ')} FROM (${all}) ORDER BY bucket, row.2 LIMIT 1 BY bucket ${cutMany('buckets')}`
}
