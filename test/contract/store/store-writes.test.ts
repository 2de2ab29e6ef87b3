// What the engine could not write. It says nothing of it (chdb 3.4.0), so the store process ends
// before it promises anything, and begins anew. A limit on the size of files makes writes fail, as
// a full disk would.
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isAlive } from '../../support/product/product.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { listFiles } from '../../support/store/list-files.ts'
import { encodeNative } from '../../support/store/native-encoder.ts'
import { failureOf } from '../../support/store/store-variants.ts'

const LIMIT_BYTES = 20_000
const MANY = Array.from({ length: 200 }, (_, n) => n)
const MAX_PARTS = 1000
/** More than the engine would set aside at a start of its own accord. */
const BROKEN_PARTS = 110
/** Small when it is sent, large when it is written. */
const TABLE = `CREATE TABLE large (n UInt32, text String MATERIALIZED randomPrintableASCII(3000))
  ENGINE = MergeTree ORDER BY n SETTINGS min_bytes_for_wide_part = 0`

let embedded: EmbeddedStore

afterEach(() => embedded.stop())

async function start(limits: { maxFileBytes?: number } = {}): Promise<void> {
  embedded = await startEmbeddedStore({ shouldMigrate: false, ...limits })
  await embedded.store.command({ sql: TABLE })
}

async function insert(numbers: readonly number[]): Promise<void> {
  await embedded.store.command({
    sql: `INSERT INTO large VALUES ${numbers.map((n) => `(${n})`).join()}`,
  })
}

async function insertNative(numbers: readonly number[], queryId: string): Promise<void> {
  const block = encodeNative(
    [{ name: 'n', type: 'UInt32' }],
    numbers.map((n) => ({ n })),
  )
  await embedded.store.insertNative({ table: 'large', columns: ['n'], block, queryId })
}

async function rows(): Promise<string> {
  const [row] = await embedded.store.query<{ rows: string }>({
    sql: "SELECT count() || ' ' || sum(length(text)) AS rows FROM large",
  })
  return row?.rows ?? ''
}

async function untilEnded(): Promise<void> {
  const pid = embedded.pid()
  await waitUntil('the store process has ended', () => !isAlive(pid))
}

describe('a write of the engine that fails', () => {
  it('is no insert that is answered, and what was there before stays', async () => {
    await start()
    await insert([1, 2])
    await embedded.kill9()
    await embedded.restart({ maxFileBytes: LIMIT_BYTES })
    expect(await failureOf(insertNative(MANY, 'i1'))).toBe('store.no_space')
    await untilEnded()
    await embedded.restart()
    expect(await rows()).toBe('2 6000')
    await insertNative(MANY, 'i2')
    expect(await rows()).toBe('202 606000')
  })

  it('is no statement that is answered', async () => {
    await start({ maxFileBytes: LIMIT_BYTES })
    const sql = 'INSERT INTO large SELECT number FROM numbers(200)'
    expect(await failureOf(embedded.store.command({ sql }))).toBe('store.no_space')
    await untilEnded()
  })

  it('is no table, and the store starts again and makes it', async () => {
    await start()
    await embedded.kill9()
    await embedded.restart({ maxFileBytes: 0 })
    const sql = 'CREATE TABLE second (n UInt32) ENGINE = MergeTree ORDER BY n'
    expect(await failureOf(embedded.store.command({ sql }))).toBe('store.no_space')
    await untilEnded()
    await embedded.restart()
    await embedded.store.command({ sql })
    await embedded.store.command({ sql: 'INSERT INTO second VALUES (1)' })
    expect(await embedded.store.query({ sql: 'SELECT n FROM second' })).toEqual([{ n: 1 }])
  })

  it('is no result of a search that had to put rows aside', async () => {
    await start({ maxFileBytes: LIMIT_BYTES })
    const query = {
      sql: 'SELECT count() FROM (SELECT number AS g, count() FROM numbers_mt(1000000) GROUP BY g)',
      settings: { max_bytes_before_external_group_by: 2_000_000 },
    }
    expect(await failureOf(embedded.store.query(query))).toBe('store.no_space')
    await untilEnded()
  })

  it('ends the process before a merge in the background costs its sources', async () => {
    await start({ maxFileBytes: LIMIT_BYTES })
    let answered = 0
    let failure = ''
    while (failure === '' && answered < MAX_PARTS) {
      failure = await failureOf(insert([answered, answered]))
      if (failure === '') answered += 1
    }
    expect(['store.no_space', 'store.unavailable']).toContain(failure)
    await untilEnded()
    await embedded.restart()
    const [there] = (await rows()).split(' ').map(Number)
    // The last one was stored or not: it was not answered.
    expect([2 * answered, 2 * answered + 2]).toContain(there)
    expect(await rows()).toBe(`${there} ${3000 * (there ?? 0)}`)
  })
})

describe('a loss of power', () => {
  it('that leaves hundreds of empty parts of a table that is not synced hinders no start', async () => {
    await start()
    const { store, dataDir } = embedded
    await insert([1])
    await store.command({
      sql: `CREATE TABLE many (n UInt32) ENGINE = MergeTree PARTITION BY n ORDER BY n`,
    })
    await store.command({
      sql: `INSERT INTO many SELECT number FROM numbers(${BROKEN_PARTS})`,
      settings: { max_partitions_per_insert_block: BROKEN_PARTS },
    })
    await embedded.kill9()
    const parts = join(dataDir, 'store/data/default/many')
    for (const part of readdirSync(parts))
      if (existsSync(join(parts, part, 'data.bin'))) truncateSync(join(parts, part, 'data.bin'))
    await embedded.restart()
    expect(await store.query({ sql: 'SELECT count() AS rows FROM many' })).toEqual([{ rows: '0' }])
    expect(await rows()).toBe('1 3000')
  })
})

describe('files that are damaged', () => {
  it('have a code of their own', async () => {
    await start()
    await insert([1, 2, 3])
    const parts = join(embedded.dataDir, 'store/store')
    const file = listFiles(parts).find((name) => name.endsWith('/text.bin')) ?? ''
    const path = join(parts, file)
    const handle = openSync(path, 'r+')
    writeSync(handle, Buffer.alloc(statSync(path).size))
    closeSync(handle)
    expect(await failureOf(embedded.store.query({ sql: 'SELECT text FROM large' }))).toBe(
      'store.damaged',
    )
  })
})
