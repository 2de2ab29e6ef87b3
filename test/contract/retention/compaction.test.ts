// Compaction of closed days (docs/decisions/0109): by what the parts on the disk say, and by what
// is found before and after, whatever ends the store. LOGEYE_TEST_COMPACT_KILLS=100 by hand.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { Lease } from '../../../infra/database/lease.ts'
import { migrateStore } from '../../../infra/store/migrate.ts'
import { runCompaction } from '../../../ingest/retention/compaction-job.ts'
import { EVENT_COLUMNS } from '../../../schemas/event-row.ts'
import { COMPACT_AFTER_DAYS, COMPACTING_SETTING } from '../../../schemas/store/tables.ts'
import type { QuietHours } from '../../../schemas/time/quiet-hours.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import type { EmbeddedStore } from '../../support/store/embedded-store.ts'
import { findDamage } from '../../support/store/find-damage.ts'
import { listFiles } from '../../support/store/list-files.ts'

const DAY_MS = 86_400_000
// The engine compacts by the time of day of the machine, so all here goes by it.
const TODAY_MS = Math.floor(systemClock.nowMs() / DAY_MS) * DAY_MS
const ALWAYS: QuietHours = { from: 0, to: 24 }
const KILLS = Number(process.env.LOGEYE_TEST_COMPACT_KILLS ?? series(2, 6))
const COMPACT = 'CODEC(ZSTD(12))'

let pipeline: SearchPipeline<EmbeddedStore>
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline({ clock: systemClock, store: {} })
  // A minute otherwise, between two merges of a day.
  await pipeline.engine.store.command({
    sql: 'ALTER TABLE events MODIFY SETTING merge_with_recompression_ttl_timeout = 1',
  })
  const { readArrived } = pipeline
  app = openTestApp(pipeline.db, pipeline.engine.store, { clock: systemClock, readArrived })
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
})

let sent = 0
const send = async (age: number, count: number) => {
  const events = Array.from({ length: count }, (_, at) => ({
    message: `request ${sent + at} of ${age} days ago from 10.0.${at % 256}.7 took ${at * 7} ms`,
    ...{ age, number: sent + at, path: `/shop/item/${at % 40}`, status: at % 9 === 0 ? 500 : 200 },
  }))
  sent += count
  await pipeline.ingest(events, { receivedMs: TODAY_MS - age * DAY_MS })
}
const compact = async (hours: QuietHours) => {
  const { db, engine } = pipeline
  const { database } = db.metastore
  const lease = new Lease({ database, clock: systemClock, name: 'job compaction' })
  const held = await lease.tryTake()
  if (held === undefined) throw new Error('another is at work')
  let waiting = 0
  const { signal } = new AbortController()
  const engines = { database, metastore: db.metastore, store: engine.store }
  const context = { ...engines, clock: systemClock, logger: silentLogger, held, signal }
  const onWaiting = (bytes: number) => {
    waiting = bytes
  }
  await runCompaction(context, { hours, onWaiting }).finally(() => lease.release())
  return waiting
}
/** Codecs of the files of the day that the engine reads. */
const codecs = async (age: number, table = 'events') => {
  const rows = await pipeline.engine.store.query<{ path: string }>({
    sql: `SELECT path FROM system.parts WHERE active AND table = '${table}' AND partition = '(1,${dateOf(age)})'`,
  })
  const found = rows.map(({ path }) =>
    readFileSync(join(path, 'default_compression_codec.txt'), 'utf8'),
  )
  return [...new Set(found)].join()
}
const dateOf = (age: number) =>
  new Date(TODAY_MS - age * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
/** All that a search tells of every event, in its order. */
const everything = async () => {
  const given = { fixedInterval: 'allData', searchQuery: '*', maxRows: '100000' }
  const text = await (await app.search({ ...given, resultFormat: 'json' })).text()
  expect(text).toContain('"number"')
  return createHash('sha256')
    .update(text.replace(/"(?:took|elapsed)\w*":\d+/g, ''))
    .digest('hex')
}
const count = async (query: string) => {
  const given = { fixedInterval: 'allData', searchQuery: `${query} | count` }
  const text = await (await app.search({ ...given, resultFormat: 'csv-plain' })).text()
  return Number(text.trim().split('\n').at(-1))
}
const damage = () => findDamage(pipeline.engine.store)
const usage = async () => {
  const admin = { name: 'admin', password: pipeline.db.adminPassword }
  const { response } = await makeConfigurationClient(app.call, admin).do('diskUsage', {})
  return response
}
const becomesCompact = (age: number, table?: string) =>
  waitUntil(
    `day ${age} is compact`,
    async () => (await codecs(age, table)) === COMPACT,
    () => codecs(age, table),
  )
/** A table of the same days that may be compacted now: when it is, the engine has had its
 * chance. */
async function compactAnother(age: number): Promise<void> {
  const { store } = pipeline.engine
  await store.command({ sql: 'CREATE TABLE another AS events' })
  await store.command({ sql: `ALTER TABLE another MODIFY SETTING ${COMPACTING_SETTING} = 1` })
  await store.command({ sql: 'INSERT INTO another SELECT * FROM events' })
  await becomesCompact(age, 'another')
  await store.command({ sql: 'DROP TABLE another SYNC' })
}
const isMerging = async () => {
  const [row] = await pipeline.engine.store.query<{ count: string }>({
    sql: "SELECT count() AS count FROM system.merges WHERE table = 'events'",
  })
  return Number(row?.count) > 0
}
const FRESH = 'CODEC(ZSTD(1))'

it('never happens outside of its hours', async () => {
  for (const age of [0, COMPACT_AFTER_DAYS - 1, COMPACT_AFTER_DAYS, 9]) {
    await send(age, 3000)
    await send(age, 1000)
  }
  expect(await compact(undefined)).toBeGreaterThan(0)
  await compactAnother(9)
  for (const age of [0, 9]) expect(await codecs(age)).toBe(FRESH)
})

it('writes closed days again, and changes nothing of what is found', async () => {
  const before = await everything()
  await compact(ALWAYS)
  await becomesCompact(COMPACT_AFTER_DAYS)
  await becomesCompact(9)
  for (const age of [0, COMPACT_AFTER_DAYS - 1]) expect(await codecs(age)).toBe(FRESH)
  expect(await everything()).toBe(before)
  expect(await count('took 7 ms')).toBeGreaterThan(0)
  expect(await damage()).toEqual([])
  expect(await compact(ALWAYS)).toBe(0)
})

it('is told by diskUsage', async () => {
  const told = JSON.stringify(await usage())
  expect(told).toMatch(/"compactBytes":[1-9]/)
  expect(told).toMatch(/"compactBytes":0/)
})

it('takes late events of such a day in', async () => {
  await send(9, 500)
  await compact(ALWAYS)
  await becomesCompact(9)
  expect(await count('age = 9')).toBe(4500)
  expect(await damage()).toEqual([])
})

it(
  'loses and doubles nothing by a kill -9 anywhere in it',
  async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const age = 20 + round
      for (let at = 0; at < 3; at += 1) await send(age, 4000)
      const before = await everything()
      await compact(ALWAYS)
      if (round % 2 === 1)
        await waitUntil(
          'a merge is at work, or has ended',
          async () => (await isMerging()) || (await codecs(age)) === COMPACT,
        )
      await pipeline.engine.kill9()
      await pipeline.engine.restart()
      expect(await everything(), `round ${round}`).toBe(before)
      expect(await damage(), `round ${round}`).toEqual([])
      if (round % 10 === 0) await becomesCompact(age)
      expect(await count(`age = ${age}`), `round ${round}`).toBe(12_000)
    }
  },
  KILLS * 60_000,
)

it('comes to a store from before there was compaction, with the days it has', {
  timeout: 240_000 + KILLS * 6000,
}, async () => {
  const { store } = pipeline.engine
  await store.command({ sql: 'RENAME TABLE events TO newer' })
  const columns = EVENT_COLUMNS.map(({ name, type }) => `\`${name}\` ${type} CODEC(ZSTD(1))`)
  await store.command({
    sql: `CREATE TABLE events (${columns.join(', ')}) ENGINE = MergeTree
      PARTITION BY (policy, toYYYYMMDD(received, 'UTC')) ORDER BY timestamp`,
  })
  const names = EVENT_COLUMNS.map(({ name }) => `\`${name}\``).join(', ')
  await store.command({ sql: `INSERT INTO events SELECT ${names} FROM newer` })
  const before = await everything()
  await store.command({ sql: 'TRUNCATE TABLE migrations' })
  await migrateStore(store)
  await migrateStore(store)
  expect(await everything()).toBe(before)
  await waitUntil('all days are compact', async () => (await compact(ALWAYS)) === 0)
  await becomesCompact(9)
  expect(await codecs(0)).not.toBe(COMPACT)
  expect(await everything()).toBe(before)
})

it('leaves nothing of what it replaced on the disk', async () => {
  const store = join(pipeline.engine.dataDir, 'store')
  expect(listFiles(store).filter((path) => /tmp_(?:merge|mut)/.test(path))).toEqual([])
})
