// Inserts of Native blocks: what is sent is what is stored, one part a unit, durable when answered,
// and what fails leaves the process alive.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../infra/store/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { localName, onCluster, systemTable } from '../../../schemas/store/cluster.ts'
import { COUNT_COLUMNS, IDEMPOTENCY_COLUMNS } from '../../../schemas/store/tables.ts'
import { SOON } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { encodeNative, LowCardinal } from '../../support/store/native-encoder.ts'
import { failureOf, runningQueries, STORE_VARIANTS } from '../../support/store/store-variants.ts'
import { eventsInsert, NOON_MS, type StoredEvent } from '../../support/store/stored-event.ts'

const DAY_MS = 86_400_000

const HOSTILE: readonly StoredEvent[] = [
  { message: 'a\n\nb', rest: '\x1f\n\n\n\x1fc\n\n', raw: '{"a":"\\n"}\n\n' },
  { message: '\0\x01\x02', layout: '\n\n', host: '\n\n', ids: { 'k\n\n': 'ABCDEF01-23456789' } },
  {
    message: "INSERT INTO events FORMAT Native\n\n'); --",
    columns: { "a.b'c\n\n": 'v\n\n', ü: true },
  },
  {
    columns: {
      n: -1.5e300,
      zero: 0,
      s: '1.10',
      b: false,
      lc: new LowCardinal('lo'),
      both: 'plain',
    },
  },
  {
    columns: { n: 'text', both: new LowCardinal('low'), deep: '{"x":[1,2]}' },
    timestamp: 7_258_118_399_999_999_999n,
  },
  {},
]

it('a block is on its way when the store has taken most of it, and not before', async () => {
  const block = Buffer.alloc(48 * 1024 * 1024)
  const said: string[] = []
  let taken = 0
  let saidAtThird: string[] | undefined
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      taken += bytes.length
      // What is between the two, in buffers of the system, is far less than the other two thirds.
      if (taken > block.length / 3) saidAtThird ??= [...said]
      if (taken > block.length) socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store = await openStore({ url: `http://127.0.0.1:${port}` })
  const insert = { table: 'events', columns: ['message'], block, queryId: 'slow' }
  const onSent = () => said.push('sent')
  await store.insertNative({ ...insert, onSent }).catch(() => said.push('failed'))
  expect(saidAtThird).toEqual([])
  expect(said).toEqual(['sent', 'failed'])
  await store.close()
  server.close()
})

describe.each(STORE_VARIANTS)('inserts: $name', ({ open }) => {
  let store: Store
  let stop: () => Promise<void> = async () => {}
  beforeAll(async () => {
    ;({ store, stop } = await open())
  })
  afterAll(() => stop())
  const optimize = async (table: string) => {
    const { cluster } = store
    const sql = `OPTIMIZE TABLE ${localName(table, cluster)}${onCluster(cluster)} FINAL`
    await store.command({ sql })
  }

  it('binary data with empty lines, quotes and statements arrives whole', async () => {
    await store.insertNative(eventsInsert('hostile', HOSTILE, 100))
    const rows = await store.query<Record<string, unknown>>({
      sql: 'SELECT message, rest, raw, layout, host, id_names, ids, toJSONString(columns) AS columns, toString(timestamp) AS t FROM events WHERE offset >= 100 AND offset < 200 ORDER BY offset',
    })
    expect(rows.map(({ message, rest, raw, layout }) => [message, rest, raw, layout])).toEqual(
      HOSTILE.map(({ message = '', rest = '', raw = '', layout = '' }) => [
        message,
        rest,
        raw,
        layout,
      ]),
    )
    expect(rows[1]).toMatchObject({
      ...{ host: '\n\n', id_names: 'k\n\n', ids: 'ABCDEF01-23456789' },
    })
    expect(JSON.parse(String(rows[3]?.columns))).toEqual({
      n: -1.5e300,
      zero: 0,
      s: '1.10',
      b: false,
      lc: 'lo',
      both: 'plain',
    })
    expect(JSON.parse(String(rows[4]?.columns))).toEqual({
      n: 'text',
      both: 'low',
      deep: '{"x":[1,2]}',
    })
    expect(rows[4]?.t).toBe('2199-12-31 23:59:59.999999999')
  })

  it('the variants of a column keep their type', async () => {
    const [row] = await store.query({
      sql: 'SELECT dynamicType(columns.n) AS n, dynamicType(columns.lc) AS lc, dynamicType(columns.both) AS both, dynamicType(columns.b) AS b FROM events WHERE offset = 103',
    })
    expect(row).toEqual({ n: 'Float64', lc: 'LowCardinality(String)', both: 'String', b: 'Bool' })
  })

  it('one insert makes one part a policy and day of receipt', async () => {
    const events = Array.from({ length: 60_000 }, (_, i) => ({
      policy: 7 + (i % 3),
      received: NOON_MS + (i % 2) * DAY_MS,
      message: `event ${i}`,
    }))
    await store.insertNative(eventsInsert('units', events, 1_000_000))
    const parts = await store.query<{ partition: string; rows: string }>({
      sql: `SELECT DISTINCT partition, rows FROM ${systemTable('parts', store.cluster)} WHERE table = '${localName('events', store.cluster)}' AND database = currentDatabase() AND active AND (partition LIKE '(7,%' OR partition LIKE '(8,%' OR partition LIKE '(9,%') ORDER BY partition`,
    })
    expect(parts.map(({ rows }) => rows)).toEqual(Array.from({ length: 6 }, () => '10000'))
  })

  it('says that a large block is on its way once, and never of one that is not sent', async () => {
    const message = 'x'.repeat(1000)
    const events = Array.from({ length: 20_000 }, () => ({ message }))
    const insert = eventsInsert('on its way', events, 77_000_000)
    const said: string[] = []
    const inserted = store.insertNative({ ...insert, onSent: () => said.push('sent') })
    await inserted.then(() => said.push('there'))
    expect(said).toEqual(['sent', 'there'])
    const beforeSend = () => {
      throw new Error('not the owner any more')
    }
    const onSent = () => said.push('sent')
    await expect(store.insertNative({ ...insert, beforeSend, onSent })).rejects.toThrow('owner')
    expect(said).toEqual(['sent', 'there'])
  })

  it('the same rows twice are twice there, and on a cluster once under one id', async () => {
    const insert = eventsInsert('twice', [{ message: 'twice' }], 3_000_000)
    await store.insertNative(insert)
    await store.insertNative(insert)
    const sql = 'SELECT count() AS n FROM events WHERE offset = 3000000'
    const times = store.cluster === undefined ? 2 : 1
    expect(await store.query({ sql })).toEqual([{ n: String(times) }])
    await store.insertNative({ ...insert, queryId: 'once more' })
    expect(await store.query({ sql })).toEqual([{ n: String(times + 1) }])
  })

  it('more than 100 units in one insert are refused for now, not as bad data', async () => {
    const events = Array.from({ length: 101 }, (_, i) => ({ policy: 1000 + i }))
    expect(await failureOf(store.insertNative(eventsInsert('many', events, 4_000_000)))).toBe(
      'store.unavailable',
    )
  })

  it.each([
    ['is cut off', (block: Buffer) => block.subarray(0, block.length - 3)],
    ['is noise', () => Buffer.from('\x05\x03noise that is no block at all')],
  ])('a block that %s is refused and leaves nothing', async (_, damage) => {
    const insert = eventsInsert('damaged', [{ message: 'damaged' }], 5_000_000)
    const call = store.insertNative({ ...insert, block: damage(insert.block) })
    expect(await failureOf(call)).toMatch(/^store\.(data|failed)$/)
    const sql = 'SELECT count() AS n FROM events WHERE offset = 5000000'
    expect(await store.query({ sql })).toEqual([{ n: '0' }])
  })

  it('counters add up and keep the highest position, a correction leaves it', async () => {
    const row = {
      policy: 1,
      quarter: NOON_MS / 1000,
      event_quarter: NOON_MS / 1000,
      log_id: 3,
      host: 'h',
      source: 's',
    }
    const insert = (events: number, upto: number) =>
      store.insertNative({
        table: 'counts',
        columns: COUNT_COLUMNS.map(({ name }) => name),
        block: encodeNative(COUNT_COLUMNS, [{ ...row, events, bytes: events * 10, upto }]),
        queryId: `counts-${upto}`,
      })
    await insert(5, 90)
    await insert(7, 91)
    await insert(-0, 0)
    const read =
      'SELECT sum(events) AS events, sum(bytes) AS bytes, max(upto) AS upto FROM counts WHERE log_id = 3'
    const sums = [{ events: '12', bytes: '120', upto: '91' }]
    expect(await store.query({ sql: read })).toEqual(sums)
    await optimize('counts')
    expect(await store.query({ sql: read })).toEqual(sums)
    expect(await store.query({ sql: 'SELECT count() AS n FROM counts' })).toEqual([{ n: '1' }])
  })

  it('an idempotency key that is inserted twice is one row after a merge, found by key and by position', async () => {
    const key = Buffer.from('00ff0a0a27005c0011223344556677aa', 'hex')
    const block = encodeNative(IDEMPOTENCY_COLUMNS, [
      { partition: 2, key_hash: key, offset: 70, request: 1, received: NOON_MS },
      { partition: 2, key_hash: key, offset: 71, request: 0, received: NOON_MS },
    ])
    const columns = IDEMPOTENCY_COLUMNS.map(({ name }) => name)
    await store.insertNative({ table: 'idempotency', columns, block, queryId: 'keys-1' })
    await store.insertNative({ table: 'idempotency', columns, block, queryId: 'keys-2' })
    await optimize('idempotency')
    const byKey = await store.query({
      sql: 'SELECT hex(key_hash) AS key, min((offset, request)) AS first, count() AS n FROM idempotency WHERE partition = 2 AND key_hash IN (SELECT unhex(arrayJoin({keys:Array(String)}))) AND offset < {from:UInt64} GROUP BY key_hash',
      params: { keys: [key.toString('hex')], from: 100 },
    })
    expect(byKey).toEqual([{ key: key.toString('hex').toUpperCase(), first: ['70', 1], n: '2' }])
    const byRange = await store.query({
      sql: 'SELECT offset, request FROM idempotency WHERE partition = 2 AND offset >= 71 AND offset < 100',
    })
    expect(byRange).toEqual([{ offset: '71', request: 0 }])
  })
})

describe('the embedded store while it inserts', () => {
  let embedded: EmbeddedStore
  beforeAll(async () => {
    embedded = await startEmbeddedStore()
  })
  afterAll(() => embedded.stop())

  const many = (offset: number, count = 60_000) =>
    eventsInsert(
      `many-${offset}`,
      Array.from({ length: count }, (_, i) => ({
        policy: 1 + (i % 3),
        message: `row ${i} of a long insert`,
        columns: { i },
      })),
      offset,
    )
  const countFrom = async (offset: number) => {
    const sql =
      'SELECT count() AS n FROM events WHERE offset >= {offset:UInt64} AND offset < {offset:UInt64} + 1000000'
    const [row] = await embedded.store.query<{ n: string }>({ sql, params: { offset } })
    return Number(row?.n)
  }
  /** Where MemoryFiles puts them, in shared memory or under the data directory. */
  const leftFiles = () => {
    const own = join(realpathSync(embedded.dataDir), 'store-inserts')
    const name = createHash('sha256').update(own).digest('hex').slice(0, 16)
    const shared = `/dev/shm/logeye-${name}`
    return [own, shared].flatMap((path) => (existsSync(path) ? readdirSync(path) : []))
  }
  /** Resolves when the engine works on it, also when it is over already. */
  const begun = async (call: Promise<string>) => {
    let isOver = false
    void call.then(() => {
      isOver = true
    })
    await waitUntil(
      'the insert is at the engine',
      async () => isOver || (await runningQueries(embedded.store)).length > 0,
    )
  }

  it('eight queries at once and an insert all come through', async () => {
    const insert = embedded.store.insertNative(many(10_000_000))
    const queries = Array.from({ length: 8 }, (_, i) =>
      embedded.store.query({
        sql: `SELECT count() AS n FROM numbers(2000000) WHERE number % 7 = ${i % 7}`,
      }),
    )
    expect((await Promise.all(queries)).flat().length).toBe(8)
    await insert
    expect(await countFrom(10_000_000)).toBe(60_000)
  })

  it('a killed insert ends, and may leave whole units only', async () => {
    const insert = many(20_000_000)
    const call = failureOf(embedded.store.insertNative(insert))
    await begun(call)
    await embedded.store.kill(insert.queryId)
    expect(['', 'store.cancelled']).toContain(await call)
    expect((await countFrom(20_000_000)) % 20_000).toBe(0)
    expect(await runningQueries(embedded.store)).toEqual([])
    expect(leftFiles()).toEqual([])
  })

  it('an insert that is aborted is soon over, and not whole', async () => {
    const insert = many(30_000_000)
    const controller = new AbortController()
    const call = failureOf(embedded.store.insertNative({ ...insert, signal: controller.signal }))
    await begun(call)
    controller.abort()
    expect(await call).toBe('store.cancelled')
    await expect.poll(() => runningQueries(embedded.store), SOON).toEqual([])
    const stored = await countFrom(30_000_000)
    expect([stored % 20_000, stored < 60_000]).toEqual([0, true])
  })

  it('an insert beyond its memory fails as such and leaves the process alive', async () => {
    const pid = embedded.pid()
    const { block, columns } = many(40_000_000, 150_000)
    const url = new URL(embedded.url)
    url.searchParams.set(
      'query',
      `INSERT INTO events (${columns.map((name) => `\`${name}\``)}) FORMAT Native`,
    )
    url.searchParams.set('max_memory_usage', '20000000')
    const headers = { 'X-ClickHouse-Key': embedded.password }
    const answer = await fetch(url, { method: 'POST', body: block, headers })
    expect(answer.headers.get('x-clickhouse-exception-code')).toBe('241')
    expect(await countFrom(40_000_000)).toBe(0)
    expect(embedded.pid()).toBe(pid)
    expect(await embedded.store.ping()).toBe(true)
  })

  it('a request that breaks off in its rows stores nothing and leaves no file', async () => {
    const { block, columns } = many(50_000_000, 1000)
    const url = new URL(embedded.url)
    url.searchParams.set(
      'query',
      `INSERT INTO events (${columns.map((name) => `\`${name}\``)}) FORMAT Native`,
    )
    let isHalfSent = false
    const body = new ReadableStream({
      async pull(controller) {
        if (isHalfSent) {
          await waitUntil('the store writes a file', () => leftFiles().length > 0)
          return controller.error(new Error('gone'))
        }
        isHalfSent = true
        controller.enqueue(block.subarray(0, block.length / 2))
      },
    })
    const headers = { 'X-ClickHouse-Key': embedded.password }
    const call = fetch(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
    await expect(call).rejects.toThrow()
    await expect.poll(leftFiles, SOON).toEqual([])
    expect(await countFrom(50_000_000)).toBe(0)
  })

  it.each<[string, (call: Promise<string>, sent: Promise<void>, offset: number) => Promise<void>]>([
    ['when it is sent', (_, sent) => sent],
    ['when the engine has begun it', (call) => begun(call)],
    [
      'when a unit of it is there',
      async (_, __, offset) =>
        void (await waitUntil('a unit is there', async () => (await countFrom(offset)) > 0)),
    ],
  ])(
    'kill -9 in an insert loses nothing that was answered, and leaves whole units only: %s',
    async (name, reached) => {
      const offset = 60_000_000 + name.length * 2_000_000
      await embedded.store.insertNative(many(offset, 3000))
      const insert = many(offset + 1_000_000, 30_000)
      let onSent = () => {}
      const sent = new Promise<void>((resolve) => {
        onSent = resolve
      })
      const call = failureOf(embedded.store.insertNative({ ...insert, onSent }))
      await reached(call, sent, offset + 1_000_000)
      await embedded.kill9()
      expect(['', 'store.unavailable']).toContain(await call)
      await embedded.restart()
      expect(await countFrom(offset)).toBe(3000)
      expect((await countFrom(offset + 1_000_000)) % 10_000).toBe(0)
      expect(leftFiles()).toEqual([])
    },
  )
})
