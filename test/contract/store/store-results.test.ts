// Results that the store keeps: a search inserted where it lies, among the readers and under the
// limits of a search, and read back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOON } from '../../support/run/patience.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { encodeNative } from '../../support/store/native-encoder.ts'
import { runningQueries } from '../../support/store/store-variants.ts'

let engine: EmbeddedStore

beforeAll(async () => {
  engine = await startEmbeddedStore()
})
afterAll(() => engine?.stop())

const insert = (result: string, from: string) =>
  `INSERT INTO results (result, n, row, names) SELECT '${result}', rowNumberInAllBlocks(), formatRowNoNewline('JSONCompactEachRow', *), [] FROM (${from})`
const SLOW = 'SELECT sleepEachRow(0.1) AS s FROM numbers(300) SETTINGS max_block_size = 1'

async function countRows(result: string): Promise<number> {
  const rows = await engine.store.query<{ count: string }>({
    sql: 'SELECT count() AS count FROM results WHERE result = {result:String}',
    params: { result },
  })
  return Number(rows[0]?.count)
}

describe('a search that is inserted', () => {
  it('keeps the order of its rows, over several blocks and threads', async () => {
    const from = 'SELECT number AS a, toString(number) AS b FROM numbers_mt(300000) ORDER BY a DESC'
    await engine.store.command({
      sql: insert('ordered', from),
      settings: {
        max_threads: 2,
        min_insert_block_size_rows: 10_000,
        min_insert_block_size_bytes: 0,
      },
    })
    const [row] = await engine.store.query<{ count: string; wrong: string }>({
      sql: "SELECT count() AS count, countIf(JSONExtractString(row, 2) != toString(299999 - n)) AS wrong FROM results WHERE result = 'ordered'",
    })
    expect(row).toEqual({ count: '300000', wrong: '0' })
  })

  it('never stands in the way of the inserts of the writer', async () => {
    const stop = new AbortController()
    const slow = ['a', 'b', 'c'].map((result) =>
      engine.store.command({ sql: insert(result, SLOW), signal: stop.signal }).catch(() => 'ended'),
    )
    await expect.poll(() => runningQueries(engine.store), SOON).toHaveLength(3)
    await engine.store.insertNative({
      table: 'idempotency',
      columns: ['partition'],
      block: encodeNative([{ name: 'partition', type: 'UInt16' }], [{ partition: 7 }]),
      queryId: 'beside-slow-searches',
    })
    expect(await runningQueries(engine.store)).toHaveLength(3)
    stop.abort()
    expect(await Promise.all(slow)).toEqual(['ended', 'ended', 'ended'])
  })

  it('ends soon when it is aborted', async () => {
    const stop = new AbortController()
    const slow = engine.store.command({
      sql: insert('aborted', SLOW),
      queryId: 'aborted',
      signal: stop.signal,
    })
    await expect.poll(() => runningQueries(engine.store), SOON).toHaveLength(1)
    stop.abort()
    await expect(slow).rejects.toMatchObject({ code: 'store.cancelled' })
    await engine.store.kill('aborted')
    expect(await runningQueries(engine.store)).toEqual([])
  })

  it('has the memory of a search, not that of an insert', async () => {
    const from = 'SELECT groupArray(number) AS a FROM numbers(3000000)'
    const heavy = engine.store.command({
      sql: insert('heavy', from),
      settings: { max_memory_usage: 5_000_000 },
    })
    await expect(heavy).rejects.toMatchObject({ code: 'store.memory' })
    expect(await countRows('heavy')).toBe(0)
  })

  it('is refused when the store has died of it twice, under whatever id', async () => {
    const crash = async (n: number) => {
      const sql = insert('', SLOW).replace("''", 'toString({storedResult:UUID})')
      const params = { storedResult: `00000000-0000-0000-0000-00000000000${n}` }
      return await engine.store.command({ sql, params }).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
    }
    for (const n of [1, 2]) {
      const died = crash(n)
      await expect.poll(() => runningQueries(engine.store), SOON).toHaveLength(1)
      await engine.kill9()
      await engine.restart()
      expect(await died).toBe('store.unavailable')
    }
    expect(await crash(3)).toBe('store.poisoned')
  })

  it('is there after the death of the store, and gone with its partition', async () => {
    await engine.store.command({ sql: insert('kept', 'SELECT number AS a FROM numbers(5000)') })
    await engine.kill9()
    await engine.restart()
    expect(await countRows('kept')).toBe(5000)
    await engine.store.command({
      sql: 'ALTER TABLE results DROP PARTITION {result:String}',
      params: { result: 'kept' },
    })
    expect(await countRows('kept')).toBe(0)
  })
})

describe('stored rows', () => {
  it('come back as they would have come from the search itself, as text and as bytes', async () => {
    const from =
      "SELECT 1 AS a, 'ü\u2028\\n\\r\\\\ \\xff' AS b, NULL AS d, toUInt64(18446744073709551615) AS e"
    const settings = { output_format_json_quote_64bit_integers: 1 }
    await engine.store.command({ sql: insert('back', from), settings })
    const readBack = { sql: "SELECT row FROM results WHERE result = 'back'" }
    for (const texts of ['utf8', 'bytes'] as const) {
      const direct: unknown[] = []
      for await (const rows of engine.store.stream({ sql: from, settings }, { texts }))
        direct.push(...rows)
      const back: unknown[] = []
      for await (const rows of engine.store.stream(readBack, { texts, rowsAre: 'json' }))
        back.push(...rows)
      expect(back).toEqual(direct)
      const text = texts === 'utf8' ? 'ü\u2028\n\r\\ \ufffd' : '\xc3\xbc\u2028\n\r\\ \xff'
      expect(back).toEqual([[1, text, null, '18446744073709551615']])
    }
  })
})
