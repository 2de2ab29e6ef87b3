// The part of ClickHouse's HTTP interface that the store process has: what the official client
// 1.23.1 was recorded to send (GET /ping; POST with the statement as body; `query_id`, settings and
// small `param_*` in the address; large ones as multipart/form-data; inserts with `query` in the
// address and rows as body; Basic authorization; no compression), and that the process survives
// what can happen to it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printSent } from '../../../infra/store/sent-header.ts'
import { patient, SOON } from '../../support/run/patience.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { failureOf, LONG_QUERY, runningQueries } from '../../support/store/store-variants.ts'
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
    const before = anonymousMib(embedded.pid())
    const answer = await send(
      {},
      {
        body: 'SELECT number, repeat(toString(number), 10) FROM numbers(2000000) FORMAT JSONCompactEachRow',
      },
    )
    await sleep(1500)
    expect(anonymousMib(embedded.pid()) - before).toBeLessThan(150)
    let lines = 0
    for await (const chunk of answer.body ?? []) for (const byte of chunk) if (byte === 10) lines++
    expect(lines).toBe(2_000_000)
  })

  it('clients that take nothing for too long lose their answers and hold no reader', async () => {
    const impatient = await startEmbeddedStore({ maxStallMs: 5000, shouldMigrate: false })
    try {
      const { url, password } = impatient
      const request = { method: 'POST', headers: { 'X-ClickHouse-Key': password } }
      const sql = 'SELECT number, repeat(toString(number), 20) FROM numbers(20000000) FORMAT TSV'
      // As many as there are readers for queries that are not urgent.
      const held = await Promise.all(
        Array.from({ length: 5 }, () => fetch(url, { ...request, body: sql })),
      )
      expect(await runningQueries(impatient.store)).toHaveLength(5)
      const signal = AbortSignal.timeout(30_000)
      const answer = await fetch(url, { ...request, body: 'SELECT 1', signal })
      expect(await answer.text()).toBe('1\n')
      // Who reads before his answer is cut would get it, and gigabytes of it.
      await expect.poll(() => runningQueries(impatient.store), { timeout: 30_000 }).toEqual([])
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
    await expect.poll(() => runningQueries(embedded.store), SOON).toHaveLength(5)
    const answer = await send(
      { priority: '1' },
      { body: 'SELECT 1', signal: AbortSignal.timeout(patient(1000)) },
    )
    expect(await answer.text()).toBe('1\n')
    const waiting = await send({ max_execution_time: '0.3' }, { body: 'SELECT 1' })
    expect(waiting.headers.get('x-clickhouse-exception-code')).toBe('159')
    controller.abort()
    await Promise.all(calls)
  })

  it('a second process on the directory ends at once and leaves the first alone', async () => {
    await expect(startEmbeddedStore({ dataDir: embedded.dataDir })).rejects.toThrow('ended with')
    expect(await embedded.store.ping()).toBe(true)
  })

  it('what a killed process left behind is removed at the start', async () => {
    await embedded.kill9()
    const inserts = `${embedded.dataDir}/store-inserts`
    mkdirSync(`${inserts}/deep`, { recursive: true })
    writeFileSync(`${inserts}/7.native`, 'left')
    writeFileSync(`${embedded.dataDir}/store/tmp/left`, 'left')
    await embedded.restart()
    expect(readdirSync(inserts)).toEqual([])
    expect(
      (await embedded.store.query({ sql: 'SELECT count() AS n FROM migrations' })).length,
    ).toBe(1)
  })

  it('a search that was running in two deaths is refused, with other times and numbers, too; others run', async () => {
    const poison = (value: string, from: number) =>
      embedded.store.query({
        sql: `${LONG_QUERY} AND {text:String} != '' AND number > {from:UInt64}`,
        params: { text: value, from },
        timeoutMs: 10_000,
      })
    for (let death = 0; death < 2; death++) {
      const call = failureOf(poison('poison', death))
      await expect.poll(() => runningQueries(embedded.store), SOON).toHaveLength(1)
      await embedded.kill9()
      expect(await call).toBe('store.unavailable')
      await embedded.restart()
    }
    expect(await failureOf(poison('poison', 99))).toBe('store.poisoned')
    expect(await failureOf(poison('other', 99))).toBe('store.timeout')
  })

  it('a search that was running in two deaths, but was answered between them, is not refused', async () => {
    const search = {
      sql: "SELECT count() FROM numbers({n:UInt64}) WHERE sipHash64(number) = 1 AND 'innocent' != ''",
    }
    for (let death = 0; death < 2; death++) {
      const call = failureOf(embedded.store.query({ ...search, params: { n: '1000000000000' } }))
      await expect.poll(() => runningQueries(embedded.store), SOON).toHaveLength(1)
      await embedded.kill9()
      await call
      await embedded.restart()
      expect(await failureOf(embedded.store.query({ ...search, params: { n: 10 } }))).toBe('')
    }
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
    const sql = 'SELECT count() AS n FROM events'
    for (let round = 0; round < 5; round++) {
      const controller = new AbortController()
      embedded.pause()
      const insert = eventsInsert('stand-still', [{ message: 'x' }], round)
      const given = failureOf(embedded.store.insertNative({ ...insert, signal: controller.signal }))
      await sleep(50)
      controller.abort()
      expect(await given).toBe('store.cancelled')
      const killed = embedded.store.kill('stand-still')
      await sleep(50)
      embedded.resume()
      await killed
      const after = await embedded.store.query({ sql })
      await sleep(150)
      expect(await embedded.store.query({ sql })).toEqual(after)
    }
  })

  it('stops in order with queries at work, and starts again with all rows', async () => {
    await embedded.store.command({
      sql: 'CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a',
    })
    await embedded.store.command({ sql: 'INSERT INTO kept SELECT number FROM numbers(1000)' })
    const call = failureOf(embedded.store.query({ sql: LONG_QUERY }))
    await expect.poll(() => runningQueries(embedded.store), SOON).toHaveLength(1)
    const began = performance.now()
    process.kill(embedded.pid(), 'SIGTERM')
    while (isAlive(embedded.pid()) && performance.now() - began < 30_000) await sleep(20)
    expect(performance.now() - began).toBeLessThan(20_000)
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that has ended and was not waited for is no longer at work.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
