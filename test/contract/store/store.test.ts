// What the program asks of a store: queries, parameters, settings, failures, cancelling.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateStore } from '../../../infra/store/migrate.ts'
import type { Store } from '../../../infra/store/port.ts'
import { EVENT_COLUMNS } from '../../../schemas/event-row.ts'
import { COUNT_COLUMNS, IDEMPOTENCY_COLUMNS } from '../../../schemas/store/tables.ts'
import { SOON } from '../../support/run/patience.ts'
import {
  failureOf,
  LONG_QUERY,
  runningQueries,
  STORE_VARIANTS,
} from '../../support/store/store-variants.ts'

const HOSTILE_TEXTS = [
  "it's",
  'a\\',
  '\\',
  "\\'",
  "'; DROP TABLE events; --",
  'tab\tline\nreturn\r',
  'NUL\0NUL',
  '\\N',
  '{other:String}',
  '/* -- */ `"$$',
  '日本語 größe привет 😀',
  'e\u0301\u200f\u202e',
  '"]],]}',
  '%41+&=?#',
]

describe.each(STORE_VARIANTS)('the store: $name', ({ open }) => {
  let store: Store
  let stop: () => Promise<void> = async () => {}
  beforeAll(async () => {
    ;({ store, stop } = await open())
  })
  afterAll(() => stop())
  const running = async (word: string) =>
    (await runningQueries(store)).filter((text) => text.includes(word)).length

  it('migrating twice changes nothing and fails with nothing', async () => {
    const before = await store.query({ sql: 'SELECT * FROM migrations ORDER BY number' })
    await migrateStore(store)
    expect(await store.query({ sql: 'SELECT * FROM migrations ORDER BY number' })).toEqual(before)
    expect(before.length).toBeGreaterThan(0)
  })

  it.each([
    ['events', EVENT_COLUMNS],
    ['counts', COUNT_COLUMNS],
    ['idempotency', IDEMPOTENCY_COLUMNS],
  ])(
    'the stored columns of %s have exactly the types that Native headers name',
    async (table, columns) => {
      const sql =
        "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND default_kind = '' ORDER BY position"
      expect(await store.query({ sql, params: { table } })).toEqual(columns)
    },
  )

  it('64-bit integers come as text, other numbers as numbers', async () => {
    const sql = 'SELECT toUInt64(18446744073709551615) AS big, toInt32(-7) AS small, 1.5 AS half'
    expect(await store.query({ sql })).toEqual([
      { big: '18446744073709551615', small: -7, half: 1.5 },
    ])
  })

  it('a query without rows gives none', async () => {
    expect(await store.query({ sql: 'SELECT 1 WHERE 0' })).toEqual([])
  })

  it.each(HOSTILE_TEXTS)('text parameter %j arrives as it is', async (text) => {
    const [row] = await store.query<{ plain: string; length: string; list: string[] }>({
      sql: 'SELECT {a:String} AS plain, length({a:String}) AS length, {b:Array(String)} AS list',
      params: { a: text, b: [text, '', text] },
    })
    expect(row).toEqual({
      plain: text,
      length: String(Buffer.byteLength(text)),
      list: [text, '', text],
    })
  })

  it('text of 40,000 characters and lists of 2,000 arrive as they are', async () => {
    const text = "é'\\\n".repeat(10_000)
    const list = Array.from({ length: 2000 }, (_, i) => `${i}'\\`)
    const [row] = await store.query<{ a: string; b: string[] }>({
      sql: 'SELECT {a:String} AS a, {b:Array(String)} AS b',
      params: { a: text, b: list },
    })
    expect(row?.a === text).toBe(true)
    expect(row?.b).toEqual(list)
  })

  it('parameters of each type keep their value', async () => {
    const [row] = await store.query({
      sql: `SELECT {u:UInt64} AS u, {i:Int64} AS i, {f:Float64} AS f, {b:Bool} AS b, {n:Nullable(String)} AS n,
        toString({t:DateTime64(9, 'UTC')}) AS t, {us:Array(UInt32)} AS us, {s:DateTime('UTC')} AS s,
        number IN {us:Array(UInt32)} AS is_in FROM numbers(10) ORDER BY number LIMIT {limit:UInt32} OFFSET 3`,
      params: {
        u: '18446744073709551615',
        i: '-9223372036854775808',
        f: 1e-7,
        b: true,
        n: null,
        t: '2199-12-31 23:59:59.123456789',
        us: [3, 4_294_967_295],
        s: '2026-03-01 12:00:00',
        limit: 1,
      },
    })
    expect(row).toEqual({
      u: '18446744073709551615',
      i: '-9223372036854775808',
      f: 1e-7,
      b: true,
      n: null,
      t: '2199-12-31 23:59:59.123456789',
      us: [3, 4_294_967_295],
      s: '2026-03-01 12:00:00',
      is_in: 1,
    })
  })

  it('a parameter that is missing, or no number where one is asked for, is refused', async () => {
    expect(await failureOf(store.query({ sql: 'SELECT {a:String}' }))).toMatch(/^store\./)
    const bad = store.query({ sql: 'SELECT {a:UInt8}', params: { a: '1; DROP TABLE events' } })
    expect(await failureOf(bad)).toMatch(/^store\./)
  })

  it('eight queries at once with parameters of one name keep their values apart', async () => {
    const rounds = Array.from({ length: 80 }, (_, i) =>
      store.query({
        sql: 'SELECT {a:String} AS a, sum(number) AS s FROM numbers({n:UInt32})',
        params: { a: `v${i}`, n: i },
      }),
    )
    const answers = await Promise.all(rounds)
    expect(answers).toEqual(rounds.map((_, i) => [{ a: `v${i}`, s: String((i * (i - 1)) / 2) }]))
  })

  it('a stream gives every row once, in order, in batches', async () => {
    let next = 0
    let batches = 0
    for await (const batch of store.stream({
      sql: 'SELECT number, toString(number) FROM numbers(300000)',
    })) {
      batches++
      for (const row of batch)
        if (row[0] !== String(next) || row[1] !== String(next++)) throw new Error(`${row}`)
    }
    expect(next).toBe(300_000)
    expect(batches).toBeGreaterThan(1)
  })

  it('settings of one query do not reach the next', async () => {
    const sql = "SELECT getSetting('max_block_size') AS block, getSetting('max_threads') AS threads"
    const before = await store.query({ sql })
    const [inside] = await store.query<{ block: unknown }>({
      sql,
      settings: { max_block_size: 777 },
    })
    expect(Number(inside?.block)).toBe(777)
    const after = await Promise.all(Array.from({ length: 16 }, () => store.query({ sql })))
    expect(after).toEqual(after.map(() => before))
  })

  it('a setting that nobody knows is refused', async () => {
    expect(await failureOf(store.query({ sql: 'SELECT 1', settings: { no_such_thing: 1 } }))).toBe(
      'store.failed',
    )
  })

  it.each([
    ['store.timeout', LONG_QUERY, {}, 500],
    [
      'store.memory',
      'SELECT groupArray(number) FROM numbers(1000000000)',
      { max_memory_usage: 50_000_000 },
    ],
    [
      'store.too_many_rows',
      'SELECT number FROM numbers(100000)',
      { max_result_rows: 1000, result_overflow_mode: 'throw' },
    ],
    ['store.failed', 'SELECT * FROM no_such_table', {}],
    ['store.failed', 'SELEC 1', {}],
  ])('%s: %s', async (code, sql, settings, timeoutMs = 30_000) => {
    expect(await failureOf(store.query({ sql, settings, timeoutMs }))).toBe(code)
    expect(await store.query({ sql: 'SELECT 1 AS one' })).toEqual([{ one: 1 }])
  })

  it('an exception behind the first rows ends the stream with its code', async () => {
    let rows = 0
    const sql =
      "SELECT number, throwIf(number = 2500000, 'x') FROM numbers(5000000) SETTINGS max_block_size = 1000"
    const read = async () => {
      for await (const batch of store.stream({ sql })) rows += batch.length
    }
    expect(await failureOf(read())).toBe('store.failed')
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThanOrEqual(2_500_000)
    const late = {
      sql: 'SELECT number, sleepEachRow(0.0001) FROM numbers(100000000)',
      settings: { max_block_size: 100 },
      timeoutMs: 600,
    }
    const slow = async () => {
      for await (const _ of store.stream(late));
    }
    expect(await failureOf(slow())).toBe('store.timeout')
  })

  it('an aborted query is soon gone from the store', async () => {
    const controller = new AbortController()
    const query = failureOf(
      store.query({ sql: `${LONG_QUERY} AND 'aborted' != ''`, signal: controller.signal }),
    )
    await expect.poll(() => running('aborted'), SOON).toBe(1)
    controller.abort()
    expect(await query).toBe('store.cancelled')
    await expect.poll(() => running('aborted'), SOON).toBe(0)
  })

  it('a stream that is left early is soon gone from the store', async () => {
    for await (const _ of store.stream({
      sql: "SELECT number, 'left early' FROM numbers(100000000000)",
    }))
      break
    await expect.poll(() => running('left early'), SOON).toBe(0)
  })

  it('a signal that is aborted before the call sends nothing', async () => {
    const call = store.query({ sql: LONG_QUERY, signal: AbortSignal.abort() })
    expect(await failureOf(call)).toBe('store.cancelled')
  })

  it('kill ends a query by its id, and is content when there is none', async () => {
    const sql = `${LONG_QUERY} AND 'killed' != ''`
    const query = failureOf(store.query({ sql, queryId: "kill'me" }))
    await expect.poll(() => running('killed'), SOON).toBe(1)
    await store.kill("kill'me")
    expect(await query).toBe('store.cancelled')
    await store.kill('never-was')
  })

  it('kill right behind the start leaves nothing running', async () => {
    // Before it is sent, while it is, and when the store may have begun it.
    for (let turns = 0; turns < 12; turns++) {
      const query = failureOf(store.query({ sql: LONG_QUERY, queryId: `early-${turns}` }))
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      await store.kill(`early-${turns}`)
      expect(await query).toBe('store.cancelled')
      expect(await running('sipHash64')).toBe(0)
    }
  })

  it('ping tells that it is there', async () => {
    expect(await store.ping()).toBe(true)
  })
})
