// Whole events sorted by a column, in less memory than they are: sorted pieces go to the disk and
// are merged from there.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { compileSearch } from '../../../query/language/compile-search.ts'
import { readEventRow } from '../../../query/search/print/event-row-reader.ts'
import { printNames } from '../../../schemas/shown-columns.ts'
import { spillSettings } from '../../../schemas/store/spill.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../support/data/sample-logs.ts'
import { openSharedStore } from '../../support/store/shared-store.ts'

const EVENTS = 100_000
const TAKEN = 'Time Taken'
/** Of the usual blocks of 65,000 rows it holds not two. */
const MEMORY_BYTES = 70_000_000

let store: Store
let stop: () => Promise<void>
const [log] = SAMPLE_LOGS

beforeAll(async () => {
  const engine = await openSharedStore()
  store = engine.store
  stop = engine.stop
  const columns =
    'policy, log_id, timestamp, received, host, source, message, rest, names, id_names, ids, columns, layout, size, offset'
  const values = {
    User: "concat('user-', toString(cityHash64(number, 1) % 1000))",
    URL: "concat('/cart/', toString(cityHash64(number, 2)))",
    [TAKEN]: 'toString(cityHash64(number, 3) % 100000 + 0.5)',
  }
  const quote = (name: string) => (name === TAKEN ? '' : '"')
  const json = Object.entries(values)
    .map(([name, sql]) => `'"${name}":${quote(name)}', ${sql}, '${quote(name)}'`)
    .join(", ',', ")
  const rest = Object.values(values).map((sql) => `'\\x1f', ${sql}`)
  await store.command({
    sql: `INSERT INTO events (${columns})
SELECT 1, {log:UInt32}, toDateTime64(1793577600 + number, 9, 'UTC'), toDateTime64(1793577600, 3, 'UTC'), 'web-01', 'Default',
  concat('GET /cart/', repeat(toString(number), 20)), concat(${rest.join(', ')}), {names:String}, 'id', lower(hex(MD5(toString(number)))),
  CAST(concat('{', ${json}, '}'), 'JSON(max_dynamic_paths=256)'), 'o', 300, number
FROM numbers({events:UInt64})`,
    params: { log: log?.id ?? 0, events: EVENTS, names: printNames(Object.keys(values)) },
  })
})
afterAll(() => stop?.())

it('gives every event in its place, with less memory than the events take', async () => {
  const { sql, params, settings } = compileSearch({
    text: '* | order by Time Taken',
    visibleLogs: log === undefined ? [] : [log],
    columns: SAMPLE_COLUMNS,
    window: { startMs: null, endMs: null },
    dateFormat: 'MM/dd/yyyy HH:mm:ss',
    timeZone: 'UTC',
    nowMs: 0,
    maxRows: null,
  })
  const limits = { max_threads: 2, max_memory_usage: MEMORY_BYTES, ...spillSettings(MEMORY_BYTES) }
  const query = { sql, params, settings: { ...settings, ...limits }, timeoutMs: 300_000 }
  let [rows, wrong, last] = [0, 0, Number.NEGATIVE_INFINITY]
  for await (const batch of store.stream(query))
    for (const row of batch) {
      const value = Number(readEventRow(row).columns.get(TAKEN))
      if (!(value >= last)) wrong += 1
      last = value
      rows += 1
    }
  expect({ rows, wrong }).toEqual({ rows: EVENTS, wrong: 0 })
}, 300_000)
