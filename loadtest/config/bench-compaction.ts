// What the compaction of a closed day saves and costs (docs/decisions/0109), in one run:
// `npm run bench:compaction`. The benchmark's events, through the writer, merged into one part; the
// same day after compaction; searches of both through the search API, the least of some rounds by
// turns of the searches. CPU time is that of the store's process. With a folder of real logs
// (json/*.ndjson, logs/*.log) as argument: its lines instead.
import { readFileSync } from 'node:fs'
import { systemClock } from '../../infra/clock.ts'
import { letCompact } from '../../infra/store/compaction.ts'
import { COMPACT_CODEC } from '../../schemas/store/tables.ts'
import { openTestApp } from '../../test/support/apps/query-app.ts'
import { openSearchPipeline } from '../../test/support/apps/search-pipeline.ts'
import { readDataFolder } from '../../test/support/real-data/data-files.ts'
import { makeEvents } from '../support/events.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 400_000)
const PIECE = 10_000
const ROUNDS = 7
const SEED = 11
/** Linux counts CPU time in hundredths of a second. */
const TICK_US = 10_000
const COMPACTED_WITHIN_MS = 1_800_000
const EVENTS_A_SECOND = 5000
const SEARCHES = [
  '*',
  'timeout',
  'zebrafish',
  '* | count | group by level',
  'timeout | count, avg duration_ms | group by service',
  'message like "%pool%" | count',
]

const folder = process.argv[2]
const pipeline = await openSearchPipeline({ store: {} })
const { store } = pipeline.engine
const app = openTestApp(pipeline.db, store, { readArrived: pipeline.readArrived })
try {
  await bench()
} finally {
  await app.app.stop()
  await pipeline.stop()
}

async function bench(): Promise<void> {
  const events = await send()
  const began = cpuUs()
  await store.command({ sql: 'OPTIMIZE TABLE events FINAL', timeoutMs: COMPACTED_WITHIN_MS })
  const mergeUs = cpuUs() - began
  const fresh = { bytes: await bytes(), ms: await searchAll() }
  await store.command({
    sql: `ALTER TABLE events MODIFY TTL toStartOfDay(received) - toIntervalDay(1) RECOMPRESS CODEC(${COMPACT_CODEC})`,
    timeoutMs: COMPACTED_WITHIN_MS,
  })
  const from = cpuUs()
  await letCompact(store, true)
  await waitForCodec()
  const compactUs = cpuUs() - from
  const compact = { bytes: await bytes(), ms: await searchAll() }
  const ratio = (a: number, b: number) => (a / b).toFixed(2)
  const each = (sum: number) => (sum / events).toFixed(1)
  console.log(`${events} events${folder === undefined ? '' : ' of real logs'}`)
  console.log(
    `bytes an event: fresh ${each(fresh.bytes)}, compacted ${each(compact.bytes)}, ratio ${ratio(compact.bytes, fresh.bytes)} (asked: 0.85)`,
  )
  const share = (compactUs / events / 1_000_000) * EVENTS_A_SECOND
  console.log(
    `CPU time an event: one merge ${each(mergeUs)} us, compaction ${each(compactUs)} us; of one core over a day at ${EVENTS_A_SECOND} events/s ${(share * 100).toFixed(0)} % (asked: 20)`,
  )
  for (const [at, query] of SEARCHES.entries()) {
    const [before = 0, after = 0] = [fresh.ms[at], compact.ms[at]]
    console.log(
      `search ${query.padEnd(34)} fresh ${before.toFixed(1).padStart(7)} ms, compacted ${after.toFixed(1).padStart(7)} ms, ratio ${ratio(after, before)} (asked: 1.50)`,
    )
  }
}

async function send(): Promise<number> {
  if (folder === undefined) {
    const generator = makeEvents(SEED)
    for (let sent = 0; sent < EVENTS; sent += PIECE)
      await pipeline.ingest(Array.from({ length: PIECE }, () => generator.next()))
    return EVENTS
  }
  let sent = 0
  for (const file of readDataFolder(folder)) {
    await pipeline.ingest(file.lines, { hostName: file.name })
    sent += file.lines.length
  }
  return sent
}

async function searchAll(): Promise<number[]> {
  const best = SEARCHES.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, searchQuery] of SEARCHES.entries()) {
      const from = performance.now()
      const given = { fixedInterval: 'allData', searchQuery, maxRows: '100' }
      const text = await (await app.search({ ...given, resultFormat: 'json' })).text()
      if (/"errorMessage":"/.test(text)) throw new Error(`${searchQuery}: ${text.slice(0, 300)}`)
      best[at] = Math.min(best[at] ?? Number.POSITIVE_INFINITY, performance.now() - from)
    }
  return best
}

async function bytes(): Promise<number> {
  const [row] = await store.query<{ bytes: string }>({
    sql: "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'events'",
  })
  return Number(row?.bytes ?? 0)
}

async function waitForCodec(): Promise<void> {
  const endMs = Date.now() + COMPACTED_WITHIN_MS
  for (;;) {
    const [row] = await store.query<{ others: string }>({
      sql: `SELECT countIf(default_compression_codec != '${COMPACT_CODEC}') AS others FROM system.parts WHERE active AND table = 'events'`,
    })
    if (Number(row?.others ?? 1) === 0) return
    if (Date.now() > endMs) throw new Error('the day was not compacted')
    await systemClock.sleep(500)
  }
}

/** Of the store's process so far. */
function cpuUs(): number {
  const text = readFileSync(`/proc/${pipeline.engine.pid()}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}
