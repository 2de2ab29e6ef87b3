// The part of ClickHouse's HTTP interface that the store process has: what the official client
// 1.23.1 was recorded to send (GET /ping; POST with the statement as body; `query_id`, settings and
// small `param_*` in the address; large ones as multipart/form-data; inserts with `query` in the
// address and rows as body; Basic authorization; no compression), and that the process survives
// what can happen to it.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../infra/store/open.ts'
import { printSent } from '../../../infra/store/sent-header.ts'
import { isAlive } from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import {
  failureOf,
  LONG_QUERY,
  runningOf,
  runningQueries,
} from '../../support/store/store-variants.ts'
import { eventsInsert } from '../../support/store/stored-event.ts'

describe('the store process', () => {
  let embedded: EmbeddedStore
  beforeAll(async () => {
    embedded = await startEmbeddedStore()
  })
  afterAll(() => embedded.stop())

  const send = (fields: Record<string, string>, init: RequestInit = {}) => {
    const url = new URL(embedded.url)
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
    const headers = { 'X-ClickHouse-Key': embedded.password, ...init.headers }
    return fetch(url, { method: 'POST', ...init, headers })
  }

  it('answers /ping without a password', async () => {
    const answer = await fetch(`${embedded.url}/ping`)
    expect([answer.status, await answer.text()]).toEqual([200, 'Ok.\n'])
  })

  it('listens on loopback only', async () => {
    const table = readFileSync('/proc/net/tcp', 'latin1')
    const port = Number(new URL(embedded.url).port).toString(16).toUpperCase().padStart(4, '0')
    const listening = table.split('\n').filter((line) => line.includes(`:${port} 00000000:0000 0A`))
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${port}`])
  })

  it.each([
    ['none', {}],
    ['a wrong key', { 'X-ClickHouse-Key': 'wrong' }],
    [
      'a wrong Basic',
      { Authorization: `Basic ${Buffer.from('default:wrong').toString('base64')}` },
    ],
  ])('refuses %s for a password with 516', async (_, headers) => {
    const answer = await fetch(embedded.url, { method: 'POST', body: 'SELECT 1', headers })
    expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([403, '516'])
    expect(await answer.text()).toContain('Code: 516. DB::Exception:')
  })

  it('takes the statement by GET, as body, and in both parts', async () => {
    const get = await send({ query: "SELECT 'ping'" }, { method: 'GET' })
    expect(await get.text()).toBe('ping\n')
    expect(await (await send({}, { body: 'SELECT 1, 2 FORMAT JSONCompactEachRow' })).text()).toBe(
      '[1, 2]\n',
    )
    expect(await (await send({ query: 'SELECT' }, { body: "'a;b' AS x -- c; d" })).text()).toBe(
      'a;b\n',
    )
  })

  it('answers with the format, the query id and the tag of exceptions in its headers', async () => {
    const answer = await send({ query_id: 'head-1' }, { body: 'SELECT 1 AS a FORMAT JSONEachRow' })
    expect(await answer.text()).toBe('{"a":1}\n')
    const names = [
      'x-clickhouse-query-id',
      'x-clickhouse-format',
      'x-clickhouse-summary',
      'content-type',
    ]
    expect(names.map((name) => answer.headers.get(name))).toEqual([
      'head-1',
      'JSONEachRow',
      '{}',
      'application/x-ndjson; charset=UTF-8',
    ])
    expect(answer.headers.get('x-clickhouse-exception-tag')).toMatch(/^[0-9a-f]{16}$/)
  })

  it('takes statement and parameters as multipart/form-data', async () => {
    const form = new FormData()
    form.set('query', 'SELECT {a:String}, {n:UInt8} FORMAT JSONCompactEachRow')
    form.set('param_a', "'\\\\ \\n--\\r\\n")
    form.set('param_n', '7')
    expect(await (await send({}, { body: form })).json()).toEqual(["'\\ \n--\r\n", 7])
  })

  it('takes an insert with statement and rows in one body', async () => {
    const answer = await send(
      {},
      {
        body: Buffer.concat([
          Buffer.from('INSERT INTO migrations (`number`) FORMAT Native\n'),
          Buffer.from('\x01\x01\x06number\x06UInt32\x0a\x0a\x00\x00', 'latin1'),
        ]),
      },
    )
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    const sql = 'SELECT number FROM migrations WHERE number = 2570'
    expect(await embedded.store.query({ sql })).toEqual([{ number: 2570 }])
    await embedded.store.command({ sql: 'ALTER TABLE migrations DELETE WHERE number = 2570' })
  })

  it.each([
    ['62', 400, 'SELECT 1; DROP TABLE events'],
    ['62', 400, 'SELECT FROM WHERE'],
    ['60', 404, 'SELECT * FROM no_such_table'],
    ['47', 404, 'SELECT no_such_column FROM events'],
    ['456', 400, 'SELECT {a:String}'],
    ['48', 501, 'SET max_threads = 1'],
    ['48', 501, "SELECT 1 INTO OUTFILE '/tmp/logeye-test-outfile'"],
    ['48', 501, "KILL QUERY WHERE query_id = 'x' SYNC"],
    ['48', 501, 'SYSTEM SHUTDOWN'],
    ['48', 501, 'INSERT INTO events FORMAT JSONEachRow'],
    ['57', 500, 'CREATE TABLE events (a UInt8) ENGINE = MergeTree ORDER BY a'],
    ['395', 500, "SELECT throwIf(1, 'x')"],
  ])('answers %s with status %i to %s', async (code, status, body) => {
    const answer = await send({}, { body })
    expect([answer.headers.get('x-clickhouse-exception-code'), answer.status]).toEqual([
      code,
      status,
    ])
    expect(await answer.text()).toMatch(new RegExp(`^Code: ${code}\\. DB::Exception: .+\\n$`, 's'))
  })

  it.each([
    ['database', 'other', '81'],
    ['session_id', 's', '48'],
    ['compress', '1', '48'],
    ['no_such_setting', '1', '115'],
    ["x' OR 1", '1', '115'],
  ])('refuses the field %s', async (name, value, code) => {
    const answer = await send({ [name]: value }, { body: 'SELECT 1' })
    expect(answer.headers.get('x-clickhouse-exception-code')).toBe(code)
  })

  it('a value of a setting cannot leave its literal', async () => {
    const answer = await send(
      { format_csv_null_representation: "x', max_threads = 1 --" },
      {
        body: "SELECT getSetting('format_csv_null_representation'), getSetting('max_threads')",
      },
    )
    expect(await answer.text()).toBe("x\\', max_threads = 1 --\t2\n")
  })

  it('reads with both threads, though less than the two gigabytes are free that the engine would ask for', async () => {
    const body = 'EXPLAIN PIPELINE SELECT sum(number) FROM numbers_mt(10000000)'
    const pipeline = await (await send({}, { body })).text()
    expect(pipeline).toMatch(/AggregatingTransform × 2/)
  })

  it('memory of a query stays inside the fence, whatever is asked', async () => {
    const answer = await send(
      { max_memory_usage: '0' },
      { body: "SELECT getSetting('max_memory_usage')" },
    )
    expect(await answer.text()).toBe('400000000\n')
  })

  it('writes an exception behind the first rows under the tag, and cuts the connection', async () => {
    const { port } = new URL(embedded.url)
    const sql =
      "SELECT number, throwIf(number = 3000000, 'boom') FROM numbers(4000000) FORMAT JSONCompactEachRow"
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /?max_block_size=1000 HTTP/1.1\r\nHost: x\r\nX-ClickHouse-Key: ${embedded.password}\r\nContent-Length: ${sql.length}\r\n\r\n${sql}`,
    )
    let text = ''
    for await (const chunk of socket)
      text =
        (text.length < 2000 ? text : text.slice(0, 1000) + text.slice(-4000)) +
        chunk.toString('latin1')
    const tag = /x-clickhouse-exception-tag: (\w+)/i.exec(text)?.[1]
    expect(text).toMatch(/^HTTP\/1\.1 200/)
    const block = text.slice(text.indexOf('\r\n__exception__'))
    const message =
      /^\r\n__exception__\r\n(\w+)\r\n(Code: 395[\s\S]*\n)(\d+) \1\r\n__exception__\r\n/.exec(block)
    expect([message?.[1], Number(message?.[3])]).toEqual([tag, message?.[2]?.length])
    expect(text.endsWith('0\r\n\r\n')).toBe(false)
  })

  it('a query whose connection closes is soon gone, also when it was still waiting', async () => {
    const controller = new AbortController()
    const calls = Array.from({ length: 12 }, (_, i) =>
      failureOf(
        send({ query_id: `closing-${i}` }, { body: LONG_QUERY, signal: controller.signal }),
      ),
    )
    await expect.poll(() => runningQueries(embedded.store), SOON).toHaveLength(5)
    controller.abort()
    await Promise.all(calls)
    await expect.poll(() => runningQueries(embedded.store), SOON).toEqual([])
  })

  it('queries that failed are gone with their answer', async () => {
    const calls = Array.from({ length: 5 }, (_, i) =>
      send({}, { body: `SELECT max(throwIf(number = 3000000)) FROM numbers(${10_000_000 + i})` }),
    )
    for (const call of calls) expect(await (await call).text()).toContain('Code: 395')
    expect(await runningQueries(embedded.store)).toEqual([])
  })

  it('a client that reads nothing for a while gets every row, and memory stays flat', async () => {
    const sql = 'SELECT number, repeat(toString(number), 10) FROM numbers(2000000)'
    const before = anonymousMib(embedded.pid())
    const answer = await send({}, { body: `${sql} FORMAT JSONCompactEachRow` })
    // Long enough for the first to be over, too, were it not for its client.
    await send({}, { body: `${sql} FORMAT Null` })
    expect(await runningQueries(embedded.store)).toHaveLength(1)
    expect(anonymousMib(embedded.pid()) - before).toBeLessThan(150)
    let lines = 0
    for await (const chunk of answer.body ?? []) for (const byte of chunk) if (byte === 10) lines++
    expect(lines).toBe(2_000_000)
  })

  it('clients that take nothing for too long lose their answers and hold no reader', async () => {
    const impatient = await startEmbeddedStore({ maxStallMs: 1000, shouldMigrate: false })
    try {
      const { url, password } = impatient
      const request = { method: 'POST', headers: { 'X-ClickHouse-Key': password } }
      const sql = 'SELECT number, repeat(toString(number), 20) FROM numbers(20000000) FORMAT TSV'
      // As many as there are readers for queries that are not urgent.
      const held = await Promise.all(
        Array.from({ length: 5 }, () => fetch(url, { ...request, body: sql })),
      )
      const answer = await fetch(url, { ...request, body: 'SELECT 1' })
      expect(await answer.text()).toBe('1\n')
      // Who reads before his answer is cut would get it, and gigabytes of it.
      await runningOf(impatient.store, 0)
      for (const one of held) await expect(one.text()).rejects.toThrow()
    } finally {
      await impatient.stop()
    }
  })

  it('two requests of one query id do not run at once', async () => {
    const controller = new AbortController()
    const first = failureOf(
      send({ query_id: 'same' }, { body: LONG_QUERY, signal: controller.signal }),
    )
    await expect.poll(() => runningQueries(embedded.store), SOON).toHaveLength(1)
    const second = await send({ query_id: 'same' }, { body: 'SELECT 1' })
    expect(second.headers.get('x-clickhouse-exception-code')).toBe('216')
    controller.abort()
    await first
  })

  it('an urgent query does not wait behind searches', async () => {
    const controller = new AbortController()
    const calls = Array.from({ length: 8 }, () =>
      failureOf(send({}, { body: LONG_QUERY, signal: controller.signal })),
    )
    await runningOf(embedded.store, 5)
    const answer = await send({ priority: '1' }, { body: 'SELECT 1' })
    expect(await answer.text()).toBe('1\n')
    await runningOf(embedded.store, 5)
    const waiting = await send({ max_execution_time: '0.3' }, { body: 'SELECT 1' })
    expect(waiting.headers.get('x-clickhouse-exception-code')).toBe('159')
    controller.abort()
    await Promise.all(calls)
  })

  it('a second process on the directory ends at once and leaves the first alone', async () => {
    await expect(startEmbeddedStore({ dataDir: embedded.dataDir })).rejects.toThrow('ended with')
    expect(await embedded.store.ping()).toBe(true)
  })

  it('an insert that was sent before the answered kill of its id never begins, wherever the time of day was set meanwhile', async () => {
    const sentAt = (timeMs: number, steadyMs: number, machine = 'one') => ({
      'X-Logeye-Sent': printSent({ nowMs: () => timeMs, elapsedMs: () => steadyMs }, machine),
    })
    const insert = (headers: Record<string, string>) =>
      send(
        { query_id: 'fenced', query: 'INSERT INTO migrations (`number`) FORMAT Native' },
        {
          body: Buffer.from('\x01\x01\x06number\x06UInt32\x01\x01\x00\x00', 'latin1'),
          headers,
        },
      )
    const kill = { body: "KILL QUERY WHERE query_id = 'fenced' ASYNC", headers: sentAt(5000, 700) }
    expect((await send({}, kill)).status).toBe(200)
    // Of the first the time of day was set back before the kill.
    for (const early of [sentAt(9000, 699), sentAt(4999, 699), sentAt(4999, 800, 'other')])
      expect((await insert(early)).headers.get('x-clickhouse-exception-code')).toBe('394')
    expect((await insert(sentAt(4000, 701))).status).toBe(200)
    const sql = 'SELECT count() AS n FROM migrations WHERE number = 257'
    expect(await embedded.store.query({ sql })).toEqual([{ n: '1' }])
    expect((await insert(sentAt(5001, 600, 'other'))).status).toBe(200)
    await embedded.store.command({ sql: 'ALTER TABLE migrations DELETE WHERE number = 257' })
  })

  it('after a stand-still, nothing of an insert that was given up and killed appears later', async () => {
    const { port } = new URL(embedded.url)
    let onKill = () => {}
    const between = createServer((client) => {
      const store = connect(Number(port), '127.0.0.1')
      for (const socket of [client, store]) socket.on('error', () => undefined)
      client.on('data', (bytes) => {
        store.write(bytes, () => {
          if (bytes.includes('KILL QUERY')) onKill()
        })
      })
      store.pipe(client)
      client.on('close', () => store.end())
    })
    between.listen(0, '127.0.0.1')
    await once(between, 'listening')
    const address = between.address()
    const { password } = embedded
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const store = await openStore({ url, password })
    const sql = "SELECT count() AS n FROM events WHERE message = 'stand-still'"
    for (let round = 0; round < 3; round++) {
      const controller = new AbortController()
      embedded.pause()
      const insert = eventsInsert('stand-still', [{ message: 'stand-still' }], round)
      const killSent = new Promise<void>((resolve) => {
        onKill = resolve
      })
      let onSent = () => {}
      const sent = new Promise<void>((resolve) => {
        onSent = resolve
      })
      const given = failureOf(store.insertNative({ ...insert, onSent, signal: controller.signal }))
      await sent
      controller.abort()
      expect(await given).toBe('store.cancelled')
      const killed = store.kill('stand-still')
      await killSent
      embedded.resume()
      await killed
      const after = await store.query({ sql })
      // What comes behind it in every queue of the store.
      for (let behind = 0; behind < 3; behind++)
        await store.insertNative(eventsInsert('behind', [{ message: 'behind' }], behind))
      expect(await store.query({ sql })).toEqual(after)
    }
    await store.close()
    between.close()
  })

  it('stops in order with queries at work, and starts again with all rows', async () => {
    await embedded.store.command({
      sql: 'CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a',
    })
    await embedded.store.command({ sql: 'INSERT INTO kept SELECT number FROM numbers(1000)' })
    const call = failureOf(embedded.store.query({ sql: LONG_QUERY }))
    await expect.poll(() => runningQueries(embedded.store), SOON).toHaveLength(1)
    const pid = embedded.pid()
    process.kill(pid, 'SIGTERM')
    await waitUntil('the store process has ended', () => !isAlive(pid))
    // Not by its own end.
    expect(['store.cancelled', 'store.unavailable']).toContain(await call)
    await embedded.restart()
    expect(await embedded.store.query({ sql: 'SELECT count() AS n FROM kept' })).toEqual([
      { n: '1000' },
    ])
  })
})

function anonymousMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1024
}
