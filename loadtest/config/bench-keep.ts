// What retention and archives cost (part of `npm run bench:config`): a day of ten million events
// goes while searches are asked, of which none may fail; and a day is archived, beside `zstd -3` of
// the same events on one core, in the same run. Rows are the writer's; the large day repeats them.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { changePolicy } from '../../infra/metastore/policies/collection-policies.ts'
import type { CollectionPolicy } from '../../schemas/collection-policy.ts'
import { openTestApp } from '../../test/support/apps/query-app.ts'
import { openSearchPipeline } from '../../test/support/apps/search-pipeline.ts'
import { makeEvents } from '../support/events.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 400_000)
const DAY_EVENTS = 10_000_000
const PIECE = 10_000
const SEED = 11
const DAY_MS = 86_400_000
const OLD_DAYS = 40
const ARCHIVED_DAYS = 20
/** Of one object of an archive. */
const ZSTD_PIECE = 8 << 20
const STORE_LIMIT_MS = 600_000
/** Of what a search may take, for rows that are made by the store. */
const SMALL_BLOCKS = { max_threads: 1, max_block_size: 8192, min_insert_block_size_rows: 65_536 }
/** Its level is 3 unless told. Types of Node 20 do not have it. */
type Packing = typeof zlib & { readonly zstdCompressSync?: (bytes: Buffer) => Buffer }

const pipeline = await openSearchPipeline()
const { store } = pipeline.engine
const app = openTestApp(pipeline.db, store, { readArrived: pipeline.readArrived })
const folder = mkdtempSync(join(tmpdir(), 'logeye-bench-archive-'))
try {
  await benchRetention()
  await benchArchive()
} finally {
  await app.app.stop()
  await pipeline.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function benchRetention(): Promise<void> {
  await send(OLD_DAYS)
  await repeat()
  // Days count from the newest that was received.
  await pipeline.ingest(['new'])
  const before = await countAll()
  await setPolicy({ storageDays: 30 })
  const searches = searchOn()
  const tookMs = await timed(() => pipeline.retain())
  const { asked, slowestMs, failed } = await searches.end()
  const left = await countAll()
  await setPolicy({ storageDays: null })
  const verdict = (isHeld: boolean) => (isHeld ? 'held' : 'MISSED')
  print(
    `retention of a day of ${before} events: ${tookMs.toFixed(0)} ms, ${left} events left (asked: 1000 ms: ${verdict(tookMs <= 1000 && left === 1)})`,
  )
  print(
    `  searches meanwhile: ${asked}, the slowest ${slowestMs.toFixed(0)} ms, failed ${failed.length} (asked: 0: ${verdict(failed.length === 0)})${failed.slice(0, 1).join('')}`,
  )
}

async function benchArchive(): Promise<void> {
  const lines = await send(ARCHIVED_DAYS)
  const raw = Buffer.from(lines.join('\n'))
  await setPolicy({ archiveDirectory: folder, storageDays: 5 })
  const archiveMs = await timed(() => pipeline.retain())
  if ((await countAll()) !== 1) throw new Error('the day was not archived')
  const bytes = bytesIn(folder)
  const mb = (value: number) => (value / 1e6).toFixed(1)
  const rate = (ms: number) => `${((raw.length / 1e6 / ms) * 1000).toFixed(0)} MB/s`
  print(
    `archive of a day of ${EVENTS} events (${mb(raw.length)} MB sent): ${mb(bytes)} MB in ${archiveMs.toFixed(0)} ms, ${rate(archiveMs)}`,
  )
  const { zstdCompressSync: pack }: Packing = zlib
  if (pack === undefined) {
    print('  no ratio: this Node has no zstd (22.15 or later has)')
    return
  }
  let packed = 0
  const packMs = await timed(async () => {
    for (let at = 0; at < raw.length; at += ZSTD_PIECE)
      packed += pack(raw.subarray(at, at + ZSTD_PIECE)).length
  })
  const ratio = packMs / archiveMs
  print(`  zstd -3 of what was sent: ${mb(packed)} MB, ${rate(packMs)}`)
  print(
    `  ratio of the rates: ${ratio.toFixed(2)} (asked: 0.30: ${ratio >= 0.3 ? 'held' : 'MISSED'}); of the bytes: ${(bytes / packed).toFixed(2)}`,
  )
}

async function send(age: number): Promise<string[]> {
  const generator = makeEvents(SEED)
  const lines: string[] = []
  const receivedMs = Date.now() - age * DAY_MS
  for (let sent = 0; sent < EVENTS; sent += PIECE) {
    const piece = Array.from({ length: PIECE }, () => generator.next())
    await pipeline.ingest(piece, { receivedMs })
    lines.push(...piece)
  }
  return lines
}

/** The day once more and once more, each time with other places in the event log. */
async function repeat(): Promise<void> {
  for (let times = 1; times < DAY_EVENTS / EVENTS; times += 1) {
    const params = { far: times * 1_000_000_000 }
    for (const sql of [
      'INSERT INTO events SELECT * REPLACE (offset + {far: UInt64} AS offset) FROM events WHERE events.offset < 1000000000',
      'INSERT INTO counts SELECT * REPLACE (upto + {far: UInt64} AS upto) FROM counts WHERE counts.upto < 1000000000',
    ])
      await store.command({ sql, params, settings: SMALL_BLOCKS, timeoutMs: STORE_LIMIT_MS })
  }
}

async function setPolicy(change: Partial<CollectionPolicy>): Promise<void> {
  // Changed a day ago: a change is not acted on at once.
  const clock = { nowMs: () => Date.now() - DAY_MS }
  await pipeline.db.metastore.database.write((transaction) =>
    changePolicy(transaction, 'Default', change, clock),
  )
}

async function countAll(): Promise<number> {
  const [row] = await store.query<{ events: string }>({
    sql: 'SELECT count() AS events FROM events',
  })
  return Number(row?.events)
}

/** Searches of all events, one after the other. */
function searchOn() {
  const failed: string[] = []
  let asked = 0
  let slowestMs = 0
  let isOver = false
  const work = (async () => {
    const given = { fixedInterval: 'allData', resultFormat: 'json', maxRows: '100' }
    while (!isOver) {
      for (const searchQuery of ['* | count', 'timeout']) {
        let text = ''
        const tookMs = await timed(async () => {
          text = await (await app.search({ ...given, searchQuery })).text()
        })
        asked += 1
        slowestMs = Math.max(slowestMs, tookMs)
        if (/"errorMessage":"/.test(text)) failed.push(` ${searchQuery}: ${text.slice(0, 300)}`)
      }
    }
  })()
  return {
    end: async () => {
      isOver = true
      await work
      return { asked, slowestMs, failed }
    },
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

function bytesIn(place: string): number {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
  return sizes.reduce((sum, size) => sum + size, 0)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
