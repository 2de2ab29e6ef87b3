// Files of parts that stand in no checksum of the engine (docs/decisions/0111): whatever the engine
// does, nothing is named; what it cannot have written is.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChangedParts } from '../../../infra/evidence/verify/verify-small-files.ts'
import { createTable } from '../../../schemas/store/create-table.ts'
import { TABLES } from '../../../schemas/store/tables.ts'
import { isFullTier } from '../../support/run/tier.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { LowCardinal } from '../../support/store/native-encoder.ts'
import { eventsInsert } from '../../support/store/stored-event.ts'

const WIDE =
  'min_bytes_for_wide_part = 0, min_rows_for_wide_part = 0, vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_columns_to_activate = 1'
const WITHOUT = 'write_marks_for_substreams_in_compact_parts = 0'
const NO_MERGES =
  'max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1'
const OF_EVENTS = isFullTier ? ['events', 'wide', 'without'] : ['events', 'wide']
const SYNC = { mutations_sync: 2, alter_sync: 2 }

const second = mkdtempSync(join(tmpdir(), 'logeye-second-disk-'))
let engine: EmbeddedStore
beforeAll(async () => {
  engine = await startEmbeddedStore({ directories: [second] })
  for (const [name, more] of [
    ['wide', WIDE],
    ['without', WITHOUT],
  ] as const) {
    const settings = `${TABLES.events.settings}, ${more}`
    for (const sql of createTable({ ...TABLES.events, name, settings }, undefined)) await run(sql)
  }
})
afterAll(async () => {
  await engine?.stop()
  rmSync(second, { recursive: true, force: true })
})

const run = async (sql: string, settings?: Record<string, number>) =>
  await engine.store.command({ sql, ...(settings === undefined ? {} : { settings }) })
const onEach = async (change: (table: string) => string) => {
  await Promise.all(OF_EVENTS.map((table) => run(change(table), SYNC)))
}
const insert = async (day: number, columns: string, rows = 3) =>
  await onEach(
    (
      table,
    ) => `INSERT INTO ${table} (policy, log_id, timestamp, received, host, source, message, columns, layout, size, offset)
      SELECT 1, 1, now64(9), now64(3) - toIntervalDay(${day}), 'h', 's', concat('m', toString(number)), ${columns}, 'f', 5, number FROM numbers(${rows})`,
  )

/** As the writer does: with dictionaries in dynamic paths. */
async function insertAsWriter(offset: number): Promise<void> {
  const rows = [1, 2, 3].map((at) => ({
    message: `m${at}`,
    rest: 'rest',
    columns: { log: new LowCardinal('a'), [`n${offset + at}`]: at, text: 'b' },
    ids: { id: 'c' },
    raw: at === 1 ? 'raw' : '',
    size: 5,
  }))
  await Promise.all(
    OF_EVENTS.map((table) =>
      engine.store.insertNative({ ...eventsInsert(`${table} ${offset}`, rows, offset), table }),
    ),
  )
}

type Part = { table: string; name: string; path: string; part_type: string }

const partsOf = async (table?: string) =>
  await engine.store.query<Part>({
    sql: `SELECT table, name, path, part_type FROM system.parts WHERE database = currentDatabase() AND active
      AND ${table === undefined ? '1' : `table = '${table}'`} ORDER BY table, name`,
  })

const named = async (parts: readonly Part[]) => {
  const { signal } = new AbortController()
  return [...(await findChangedParts({ store: engine.store, signal }, parts))].map(
    ({ table, name }) => `${table} ${name}`,
  )
}

async function expectNothingNamed(after: string): Promise<void> {
  const parts = await partsOf()
  expect(parts.length, after).toBeGreaterThan(3)
  expect(await named(parts), after).toEqual([])
}

test('what the engine does is no change', async () => {
  const weird = String.raw`'{"a\\nb":1,"q\`t":2,"ü":{"x.y":3},"${'k'.repeat(300)}":"x","list":[{"x":1}]}'`
  await insertAsWriter(0)
  await insertAsWriter(10)
  await insert(0, weird)
  await insert(0, `'{"a":"text","b c":1.5}'`)
  await insert(0, `'{}'`)
  await insert(5, weird)
  await insert(5, `concat('{"k', toString(number), '":', toString(number), '}')`, 400)
  await run("INSERT INTO counts SELECT 1, now(), now(), 1, 'h', 's', 0, 5, 5, 1")
  await run("INSERT INTO gone SELECT 1, 1, 1, 0, 'e', 'retention', 5, 5, now64(3)")
  await run("INSERT INTO idempotency SELECT 0, 'abcdefghijklmnop', 1, 1, now64(3)")
  await expectNothingNamed('inserts')
  const changes: Record<string, (table: string) => string> = {
    merge: (table) => `OPTIMIZE TABLE ${table} FINAL`,
    update: (table) =>
      `ALTER TABLE ${table} UPDATE raw = 'x', message = concat(message, 'x') WHERE message = 'm1'`,
    'update of columns': (table) =>
      `ALTER TABLE ${table} UPDATE columns = '{"new":1}', host = 'other' WHERE message = 'm2'`,
    delete: (table) => `ALTER TABLE ${table} DELETE WHERE message = 'm2'`,
    setting: (table) =>
      `ALTER TABLE ${table} MODIFY SETTING max_number_of_merges_with_ttl_in_pool = 1, merge_with_recompression_ttl_timeout = 0`,
    recompression: (table) => `OPTIMIZE TABLE ${table} FINAL`,
    'time to live': (table) => `ALTER TABLE ${table} MATERIALIZE TTL`,
    codec: (table) => `ALTER TABLE ${table} MODIFY COLUMN raw String CODEC(ZSTD(3))`,
    'new columns': (table) =>
      `ALTER TABLE ${table} ADD COLUMN first Array(String) DEFAULT ['x'] FIRST, ADD COLUMN second LowCardinality(String) DEFAULT 'x' AFTER policy`,
    'written columns': (table) => `ALTER TABLE ${table} MATERIALIZE COLUMN second`,
    type: (table) => `ALTER TABLE ${table} MODIFY COLUMN size UInt64`,
    rename: (table) => `ALTER TABLE ${table} RENAME COLUMN second TO third`,
    drop: (table) => `ALTER TABLE ${table} DROP COLUMN third`,
  }
  let offset = 10
  for (const [what, change] of Object.entries(changes)) {
    await onEach(change)
    await expectNothingNamed(what)
    offset += 10
    await insertAsWriter(offset)
  }
  for (const table of OF_EVENTS) {
    const [part] = await engine.store.query<{ name: string; partition: string }>({
      sql: `SELECT name, partition FROM system.parts WHERE active AND database = currentDatabase() AND table = '${table}' ORDER BY name LIMIT 1`,
    })
    await run(`CREATE TABLE kept_${table} AS ${table}`)
    await run(`ALTER TABLE kept_${table} REPLACE PARTITION ${part?.partition} FROM ${table}`)
    await run(`ALTER TABLE ${table} REPLACE PARTITION ${part?.partition} FROM kept_${table}`)
  }
  await expectNothingNamed('replaced partitions')
  for (const table of OF_EVENTS) {
    const part = (await partsOf(table)).at(-1)
    await run(`ALTER TABLE ${table} DETACH PART '${part?.name}'`)
    await run(`ALTER TABLE ${table} ATTACH PART '${part?.name}'`)
  }
  await expectNothingNamed('attached parts')
  const [moved] = await engine.store.query<{ partition: string }>({
    sql: `SELECT partition FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events' ORDER BY name DESC LIMIT 1`,
  })
  await run(`ALTER TABLE events MOVE PARTITION ${moved?.partition} TO DISK 'logeye_1'`)
  expect((await partsOf('events')).some(({ path }) => path.startsWith(second))).toBe(true)
  await expectNothingNamed('a move to another disk')
  await engine.kill9()
  await engine.restart()
  await expectNothingNamed('a restart')
  await onEach((table) => `ALTER TABLE ${table} UPDATE raw = 'y' WHERE message = 'm1'`)
  await expectNothingNamed('an update of attached parts')
  await onEach((table) => `OPTIMIZE TABLE ${table} FINAL`)
  await expectNothingNamed('the last merge')
})

test('while parts come and go nothing is named', async () => {
  let isOver = false
  const work = (async () => {
    for (let round = 0; round < 2; round += 1) {
      await insert(0, `'{"a":1}'`)
      await onEach((table) => `OPTIMIZE TABLE ${table} FINAL`)
      await onEach((table) => `ALTER TABLE ${table} UPDATE raw = 'z' WHERE message = 'm1'`)
    }
    isOver = true
  })()
  while (!isOver) expect(await named(await partsOf())).toEqual([])
  await work
})

test('what the engine cannot have written is named', async () => {
  await onEach((table) => `ALTER TABLE ${table} MODIFY SETTING ${NO_MERGES}`)
  const parts = [...(await partsOf('events')), ...(await partsOf('wide'))]
  const [part] = parts
  const wide = parts.at(-1)
  if (part === undefined || wide === undefined) throw new Error('there is no part')
  expect([part.part_type, wide.part_type]).toEqual(['Compact', 'Wide'])
  const missed: string[] = []
  const change = async (
    one: Part,
    name: string,
    ways: (before: Buffer) => Record<string, Buffer | null>,
  ) => {
    const path = join(one.path, name)
    const before = readFileSync(path)
    for (const [way, bytes] of Object.entries(ways(before))) {
      if (bytes === null) rmSync(path)
      else writeFileSync(path, bytes)
      const found = await named(parts)
      if (found.join() !== `${one.table} ${one.name}`) missed.push(`${name} ${way}: ${found}`)
      writeFileSync(path, before)
    }
  }
  const usual = (before: Buffer) => ({
    other: Buffer.concat([before.subarray(0, -1), Buffer.from('x')]),
    half: before.subarray(0, before.length >> 1),
    more: Buffer.concat([before, before.subarray(0, 16)]),
    large: Buffer.alloc(1_000_000, before),
  })
  for (const one of [part, wide]) {
    await change(one, 'metadata_version.txt', usual)
    await change(one, 'default_compression_codec.txt', usual)
    await change(one, 'columns_substreams.txt', usual)
    await change(one, 'default_compression_codec.txt', () => ({ gone: null }))
    await change(one, 'checksums.txt', () => ({ gone: null }))
  }
  await change(part, 'columns_substreams.txt', () => ({ gone: null }))
  expect(missed).toEqual([])
  expect(await named(parts)).toEqual([])
})

test('what may be the doing of the engine is not named', async () => {
  const parts = await partsOf()
  const part = parts.find(({ table }) => table === 'wide')
  for (const name of ['metadata_version.txt', 'columns_substreams.txt']) {
    const path = join(part?.path ?? '', name)
    const before = readFileSync(path)
    rmSync(path)
    expect(await named(parts), name).toEqual([])
    writeFileSync(path, before)
  }
})
