// Query tasks (docs/decisions/0124) against a real PostgreSQL by TLS: each row behind the mark is
// one event, whatever is killed, and what is wrong is said so that a person can mend it.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeQueryTask } from '../../../infra/metastore/tasks/query-task-mark.ts'
import { askForRun, readRun } from '../../../infra/metastore/tasks/task-runs.ts'
import { addTask, changeTask } from '../../../infra/metastore/tasks/tasks.ts'
import { addAccount, changeAccount, startWhole } from '../../support/collect/account-collect.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../support/database/postgres-server.ts'
import { describeUnless } from '../../support/run/skip.ts'

const DEFAULTS = { cron: '', firstMark: '0', timeColumn: '', messageColumn: '' }
const USER = 'reader'
const PASSWORD = `p'ss "wörd" $1`

describeUnless(postgresMissing(), 'query tasks', () => {
  let server: PostgresServer
  let admin: Client
  let collect: CollectPlace
  let collector: { stop(): Promise<void> } | undefined
  let written = 0

  beforeAll(async () => {
    server = await startPostgres()
    collect = await openCollectPlace()
    admin = new Client({ connectionString: server.url })
    admin.on('error', () => undefined)
    await admin.connect()
    await admin.query(`
      CREATE TABLE orders (id bigint PRIMARY KEY, at timestamptz, text text, size numeric, "a ""b""" text);
      CREATE TABLE secret (id bigint);
      CREATE USER ${USER} PASSWORD ${admin.escapeLiteral(PASSWORD)};
      GRANT SELECT ON orders TO ${USER};`)
    const settings = { ...settingsOf(), userName: USER }
    const secrets = { userPassword: PASSWORD }
    await addAccount(collect, { kind: 'database', name: 'shop', settings, secrets })
    collector = await startWhole(collect)
  })
  afterAll(async () => {
    await collector?.stop()
    await admin?.end().catch(() => undefined)
    await collect?.close()
    await server?.stop()
  })

  const settingsOf = () => ({
    ...{ host: '127.0.0.1', port: server.port, database: 'postgres', userName: USER },
    ...{ isTls: true, certificate: readFileSync(server.caFile, 'utf8') },
  })

  async function write(count: number): Promise<void> {
    await admin.query(
      `INSERT INTO orders SELECT n, timestamptz '2026-01-02 03:04:05.678901+02' + n * interval '1 s',
        'order ' || n, n + 0.50, NULL FROM generate_series($1::int, $2::int) AS n`,
      [written + 1, written + count],
    )
    written += count
  }

  async function add(name: string, settings: object): Promise<number> {
    const { id } = await collect.place.metastore.database.write((transaction) =>
      addTask(transaction, collect.clock, {
        ...{ kind: 'query', name, defaults: DEFAULTS },
        settings: {
          ...{ account: 'shop', query: 'SELECT * FROM orders WHERE id > :mark', markColumn: 'id' },
          ...settings,
        },
      }),
    )
    return id
  }

  async function ask(taskId: number): Promise<number> {
    const asked = { taskId, cause: 'asked', nowMs: collect.clock.nowMs() } as const
    return await collect.place.metastore.database.write((transaction) =>
      askForRun(transaction, asked),
    )
  }

  async function run(taskId: number) {
    const { read } = collect.place.metastore.database
    const id = await ask(taskId)
    const state = async () => (await readRun(read, id))?.state
    await collect.until(
      'the run ends',
      async () => /done|failed/.test((await state()) ?? ''),
      state,
    )
    return await readRun(read, id)
  }

  const numbers = async (logId: number) =>
    (await collect.rows(logId)).map(({ message }) => Number(message.slice(6)))
  const all = () => Array.from({ length: written }, (_, at) => at + 1)

  it('makes an event of each row, and of each later one once', async () => {
    const logId = await collect.addLog('orders', {})
    const settings = { timeColumn: 'at', messageColumn: 'text', log: ['orders'] }
    const task = await add('orders', settings)
    await write(2500)
    expect(await run(task)).toMatchObject({ state: 'done', reason: '', counts: { events: 2500 } })
    await write(3)
    expect(await run(task)).toMatchObject({ state: 'done', counts: { events: 3 } })
    expect(await run(task)).toMatchObject({ state: 'done', counts: { events: 0 } })
    expect(await numbers(logId)).toEqual(all())
    const [row] = await collect.place.engine.store.query({
      sql: `SELECT toUnixTimestamp64Nano(timestamp) AS time, host, source, columns FROM events
        WHERE log_id = ${logId} AND message = 'order 1'`,
    })
    const ms = Date.parse('2026-01-02T01:04:06.678Z')
    expect(row).toMatchObject({
      ...{ time: `${ms}901000`, host: '127.0.0.1', source: 'shop' },
      columns: { id: 1, size: '1.50' },
    })
  })

  it('makes each row one event when the collector is killed', async () => {
    await collector?.stop()
    const logId = await collect.addLog('killed', {})
    const task = await add('killed', { messageColumn: 'text', log: ['killed'] })
    for (const point of ['note', 'append', 'appended'] as const) {
      await write(2500)
      await ask(task)
      const child = collect.fork(point, point === 'note' ? 5 : 2, 'all tasks')
      expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
    }
    collector = await startWhole(collect)
    expect(await run(task)).toMatchObject({ state: 'done' })
    expect(await run(task)).toMatchObject({ state: 'done', counts: { events: 0 } })
    expect(await numbers(logId)).toEqual(all())
  })

  it('begins anew with another query, behind what a kill cut off', async () => {
    await collector?.stop()
    const logId = await collect.addLog('another', {})
    await write(2500)
    const task = await add('another', { log: ['another'], messageColumn: 'text' })
    await ask(task)
    // The first piece is there; the second is noted, and not sent.
    const child = collect.fork('append', 2, 'all tasks')
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
    const query = `SELECT 'again ' || id AS text, id FROM orders WHERE id > :mark AND id < 4`
    const { database } = collect.place.metastore
    const change = { name: 'another', settings: { query } }
    const { left } = await database.write((transaction) =>
      changeQueryTask(transaction, collect.clock, { ...change, wish: undefined }),
    )
    expect(Number(left)).toBeGreaterThan(0)
    collector = await startWhole(collect)
    // The run that was cut off goes on with what the task says now.
    expect(await run(task)).toMatchObject({ state: 'done' })
    const texts = (await collect.rows(logId)).map(({ message }) => message)
    const again = ['again 1', 'again 2', 'again 3']
    expect(texts.slice(-3)).toEqual(again)
    expect(texts.slice(0, -3)).toEqual(
      Array.from({ length: texts.length - 3 }, (_, at) => `order ${at + 1}`),
    )
    expect(texts.length).toBeGreaterThan(1003)
    expect(await run(task)).toMatchObject({ state: 'done', counts: { events: 0 } })
    expect(await collect.rows(logId)).toHaveLength(texts.length)
  })

  it('keeps rows of one mark together, and hostile values as they are', async () => {
    const logId = await collect.addLog('hostile', {})
    const query = `SELECT n / 5000 + 1 AS "m ""k""", 'it''s :mark; -- no' AS "productPath",
      E'a"\\\\\\n\\u2028' AS "a ""b""", NULL AS nothing, n AS id /* /* */ :mark ' */, E'it\\'s :mark' AS "e"
      FROM generate_series(0, 9999) AS n WHERE n / 5000 + 1 > :mark::int -- :mark`
    const task = await add('hostile', { query, markColumn: 'm "k"', log: ['hostile'] })
    const first = await run(task)
    expect(first).toMatchObject({ state: 'done', counts: { events: 10_000 } })
    expect(await run(task)).toMatchObject({ state: 'done', counts: { events: 0, bytes: 0 } })
    const rows = await collect.rows(logId)
    expect(first?.counts.bytes).toBe(Buffer.byteLength(rows.map(({ raw }) => raw).join('')))
    expect(rows).toHaveLength(10_000)
    expect(JSON.parse(rows[0]?.raw ?? '')).toEqual({
      ...{ 'm "k"': 1, 'copied.productPath': "it's :mark; -- no", id: 0 },
      ...{ 'a "b"': 'a"\\\n\u2028', e: "it's :mark" },
    })
  })

  it('keeps rows of one mark together, however it is written', async () => {
    const logId = await collect.addLog('written', {})
    await admin.query(`CREATE TABLE written (mark numeric, text text);
      GRANT SELECT ON written TO ${USER};
      INSERT INTO written SELECT (CASE n % 2 WHEN 0 THEN '1.0' ELSE '1.00' END)::numeric, 'a'
        FROM generate_series(1, 3000) AS n;
      INSERT INTO written VALUES (2, 'c')`)
    const query = 'SELECT * FROM written WHERE mark > :mark'
    const task = await add('written', { query, markColumn: 'mark', log: ['written'] })
    expect(await run(task)).toMatchObject({ state: 'done', reason: '' })
    expect(await run(task)).toMatchObject({ state: 'done', counts: { events: 0 } })
    expect(await collect.rows(logId)).toHaveLength(3001)
  })

  it('cuts rows above 1 MiB, says which, and goes on', async () => {
    const logId = await collect.addLog('large', {})
    const bytes = 64 * 1024 * 1024
    await admin.query(`CREATE TABLE large (
        id bigint, t text, b bytea, j jsonb, a text[], c char(3), f bool, n numeric);
      GRANT SELECT ON large TO ${USER}`)
    const small = `'a"', '\\x00ff', '{"a": [1, null]}', '{x,NULL,"y z"}', 'c', true, 1.50`
    await admin.query(`INSERT INTO large VALUES (1, ${small});
      INSERT INTO large (id, t, c) VALUES (2, repeat('€x', ${bytes / 4}), 'c');
      INSERT INTO large (id, b, t) VALUES (3, decode(repeat('ab', ${bytes}), 'hex'), 'whole');
      INSERT INTO large (id, j) VALUES (4, to_jsonb(repeat('x', ${bytes})));
      INSERT INTO large (id, a) VALUES (5, ARRAY[repeat('x', ${bytes}), 'y']);
      INSERT INTO large (id, t) SELECT 6, repeat(E'\x01', 1000000);
      INSERT INTO large VALUES (7, ${small})`)
    const query = 'SELECT * FROM large WHERE id > :mark'
    const task = await add('large', { query, log: ['large'] })
    expect(await run(task)).toMatchObject({
      ...{ state: 'done', counts: { events: 7 } },
      reason: `rows above 1 MiB are cut, as their column copied.cut says: 5, with the marks 2 (t: ${bytes} bytes), 3 (b: ${bytes * 2 + 2} bytes), 4 (j: ${bytes + 2} bytes), …`,
    })
    const rows = (await collect.rows(logId)).map(({ raw }) => JSON.parse(raw))
    const first = { id: 1, t: 'a"', b: '\\x00ff', j: '{"a": [1, null]}', a: '{x,NULL,"y z"}' }
    expect(rows[0]).toEqual({ ...first, c: 'c  ', f: 't', n: 1.5 })
    expect(rows[6]).toEqual({ ...rows[0], id: 7 })
    // Six of its columns can be large.
    const most = Math.floor((128 * 1024) / 6)
    const begins = (id: number, column: string) => {
      const { [column]: text, 'copied.cut': cut, id: own } = rows[id - 1]
      expect(own).toBe(id)
      return [text.slice(0, 4), text.length, cut]
    }
    expect(begins(2, 't')).toEqual(['€x€x', most, `t: ${bytes} bytes`])
    expect(begins(3, 'b')).toEqual(['\\xab', most + 1, `b: ${bytes * 2 + 2} bytes`])
    expect(rows[2].t).toBe('whole')
    expect(begins(4, 'j')).toEqual(['"xxx', most, `j: ${bytes + 2} bytes`])
    expect(begins(5, 'a')).toEqual(['{xxx', most, `a: ${bytes + 4} bytes`])
    // Large as JSON alone.
    expect(begins(6, 't')).toEqual(['\x01'.repeat(4), (128 * 1024) / 8, 't: 1000000 bytes'])
  })

  it('says each cell that is cut where the server has another encoding', async () => {
    const logId = await collect.addLog('latin', {})
    await admin.query(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0
      LC_COLLATE 'C' LC_CTYPE 'C'`)
    const there = new URL(server.url)
    there.pathname = '/latin'
    const latin = new Client({ connectionString: there.href })
    await latin.connect()
    try {
      await latin.query(`CREATE TABLE wide (id bigint, a text, b text);
        INSERT INTO wide VALUES (1, repeat('x', 1100000), repeat('é', 100000));
        GRANT SELECT ON wide TO ${USER}`)
    } finally {
      await latin.end()
    }
    const settings = { ...settingsOf(), database: 'latin' }
    const secrets = { userPassword: PASSWORD }
    await addAccount(collect, { kind: 'database', name: 'latin', settings, secrets })
    const query = 'SELECT * FROM wide WHERE id > :mark'
    const task = await add('latin', { account: 'latin', query, log: ['latin'] })
    expect(await run(task)).toMatchObject({ state: 'done', counts: { events: 1 } })
    const [row] = (await collect.rows(logId)).map(({ raw }) => JSON.parse(raw))
    expect(row).toMatchObject({ 'copied.cut': 'a: 1100000 bytes, b: 100000 bytes' })
    expect(row.b).toBe('é'.repeat(64 * 1024))
  })

  it('counts bytes, not characters: more of one mark than fits is refused', async () => {
    const logId = await collect.addLog('together', {})
    // 120 KiB each: 2 MiB are a third of them in characters.
    const rows = (count: number) =>
      `SELECT 1 AS mark, repeat('€', 40 * 1024) AS text FROM generate_series(1, ${count})
        WHERE 1 > :mark::int`
    const task = await add('together', { query: rows(55), markColumn: 'mark', log: ['together'] })
    expect(await run(task)).toMatchObject({
      ...{ state: 'failed', counts: { events: 0, bytes: 0 } },
      reason: 'more than 6 MiB of rows have one mark: choose a column that tells rows apart',
    })
    expect(await collect.rows(logId)).toEqual([])
    await collect.place.metastore.database.write((transaction) =>
      changeTask(transaction, collect.clock, {
        ...{ kind: 'query', name: 'together', settings: { query: rows(50) } },
      }),
    )
    const ended = await run(task)
    expect(ended).toMatchObject({ state: 'done', counts: { events: 50 } })
    expect(ended?.counts.bytes).toBeGreaterThan(50 * 120 * 1024)
    expect(await collect.rows(logId)).toHaveLength(50)
  })

  it('says what a person can mend', async () => {
    await collect.addLog('wrong', {})
    const task = await add('wrong', { log: ['wrong'] })
    const { database } = collect.place.metastore
    const reasonOf = async (settings: object) => {
      const what = { kind: 'query', name: 'wrong' } as const
      await database.write((transaction) =>
        changeTask(transaction, collect.clock, { ...what, settings }),
      )
      const ended = await run(task)
      expect(ended?.state).toBe('failed')
      return ended?.reason
    }
    const good = { query: 'SELECT * FROM orders WHERE id > :mark', markColumn: 'id' }
    expect(await reasonOf({ query: 'SELEC :mark' })).toContain('the query is refused: syntax error')
    expect(await reasonOf({ ...good, markColumn: 'none' })).toContain('none does not exist')
    expect(await reasonOf({ ...good, query: 'SELECT * FROM secret WHERE id > :mark' })).toContain(
      'the user reader may not read what the query names',
    )
    expect(await reasonOf({ ...good, firstMark: 'x' })).toContain('does not fit its type')
    expect(await reasonOf({ ...good, firstMark: '0', messageColumn: 'none' })).toBe(
      'the query gives no column none, which is the message',
    )
    const writing = `SELECT nextval('s') AS id WHERE 1 > :mark::int`
    await admin.query(`CREATE SEQUENCE s; GRANT ALL ON SEQUENCE s TO ${USER}`)
    expect(await reasonOf({ ...good, query: writing, messageColumn: '' })).toBe(
      'the query writes, and only reading is allowed',
    )
    expect(await reasonOf({ ...good, log: ['gone'] })).toBe('there is no log gone')
    await changeAccount(collect, 'shop', { ...settingsOf(), certificate: '' })
    expect(await reasonOf({ ...good, log: ['wrong'] })).toContain('its certificate is')
    await changeAccount(collect, 'shop', { ...settingsOf(), userName: 'nobody' })
    expect(await reasonOf({})).toContain('refuses the user nobody and the password')
    await changeAccount(collect, 'shop', { ...settingsOf(), database: 'none' })
    expect(await reasonOf({})).toMatch(/has no such database|may not/)
    await changeAccount(collect, 'shop', { ...settingsOf(), port: 1 })
    expect(await reasonOf({})).toContain('nothing listens there')
  })
})
