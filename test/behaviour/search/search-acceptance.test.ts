// Seen from outside, and shown in no other file: every code in every format, every parameter in
// both formats, tokens and files of others, and a search beyond its memory that takes nothing with
// it. A product of this file's own, with two front processes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAnswer } from '../../support/clients/product-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { awayFromEndOf, HOUR_MS } from '../../support/run/away-from.ts'

const BULKY = 10_000
const FILLER = 'the quick brown fox jumps over the lazy dog '.repeat(45)
const START_MS = Date.UTC(2026, 0, 15, 12)
/** Seconds of work: each is a walk over every byte of every message. */
const SLOW = Array.from({ length: 150 }, (_, n) => {
  const last = String.fromCharCode(97 + (n % 26), 97 + ((n * 7 + 1) % 26))
  return `message matches "[b-y][0-9]{${2 + (n % 5)}}[${last}]"`
}).join(' OR ')
/** 20 MB of keys. */
const GREEDY = 'bulky | count | group by message'
const FORMATS = ['xml', 'csv', 'json', 'csv-plain']

type Fields = Readonly<Record<string, string | number>>

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-search-acceptance-'))
const other = { name: 'other', password: 'password of the other' }
/** Sees what the other sees. */
const owner = { name: 'owner', password: 'password of the owner' }

beforeAll(async () => {
  // Days and weeks of a search are those of the machine's zone.
  await awayFromEndOf(HOUR_MS, 120_000)
  const environment = {
    LOGEYE_HTTP_FRONT_PROCESSES: '2',
    LOGEYE_STORE_MAX_QUERY_MEMORY_BYTES: String(60_000_000),
  }
  product = await startProduct({ dataDir, environment })
  const small = Array.from({ length: 300 }, (_, n) => ({
    timestamp: new Date(START_MS + n * 1000).toISOString(),
    message: `small ${n}`,
    n,
  }))
  await send([...small, { message: 'small now', n: 300 }])
  for (let from = 0; from < BULKY; from += 1000)
    await send(
      Array.from({ length: 1000 }, (_, n) => ({ message: `bulky ${from + n} ${FILLER}${n}` })),
    )
  await untilCounted('bulky', BULKY)
  for (const { name, password } of [other, owner])
    await sdk('securityUsers', { action: 'add', userName: name, userPassword: password })
}, 300_000)

afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

async function send(events: readonly object[]): Promise<number> {
  const body = events.map((event) => JSON.stringify(event)).join('\n')
  const address = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`
  return (
    await fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  ).status
}

async function sdk(command: string, given: Readonly<Record<string, string>>): Promise<void> {
  const { authorization } = basic()
  const answer = await fetch(`${product.url}/logeye/sdk/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(given),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
}

const admin = () => ({ name: 'admin', password: product.secrets.password })

function basic(user = admin()) {
  const pair = Buffer.from(`${user.name}:${user.password}`).toString('base64')
  return { authorization: `Basic ${pair}` }
}

/** The call as a script writes it: everything in the address. */
async function call(fields: Fields, user = admin()): Promise<Response> {
  const address = new URLSearchParams({ widgetId: 'searchAPI' })
  for (const [name, value] of Object.entries(fields)) address.set(name, `${value}`)
  const signIn = { autoLogin: 'true', username: user.name, password: user.password }
  for (const [name, value] of Object.entries(signIn)) address.set(name, value)
  return await fetch(`${product.url}/logeye/view/api/widgetAPI.jsp?${address}`)
}

async function ask(fields: Fields, user?: typeof other) {
  const answer = await call(fields, user)
  return readAnswer(answer.status, await answer.text(), fields.resultFormat === 'csv')
}

async function untilCounted(word: string, count: number): Promise<void> {
  const fields = { searchQuery: `${word} | count`, fixedInterval: 'allData' }
  for (let n = 0; (await ask(fields)).rows[0]?.count !== `${count}`; n += 1) {
    if (n > 300) throw new Error('not all events were stored')
    await sleep(100)
  }
}

describe.each(FORMATS)('as %s, a failure is the XML document with code', (resultFormat) => {
  const all = { fixedInterval: 'allData', resultFormat }
  it.each<[number, Fields, string]>([
    [1, { searchQuery: 'small AND (' }, '1: query error at 12: '],
    [1, { searchQuery: 'small', maxNumOfRecords: 'x' }, '1: maxNumOfRecords: '],
    [2, { searchQuery: 'small', abortOn: 300 }, '2: the search gives more than 300 results'],
    [3, { searchQuery: `${SLOW} | count`, timeout: 700 }, '3: the search ran longer than 700 ms'],
    [5, { searchQuery: GREEDY }, '5: the search needs more memory than it may take'],
  ])('%i', async (code, fields, message) => {
    const answer = await call({ ...all, ...fields })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/xml; charset=utf-8',
    ])
    const read = readAnswer(200, await answer.text(), false)
    expect(read).toMatchObject({ state: 'Fail', token: '', numberOfResults: 0, code, rows: [] })
    expect(read.message.slice(0, message.length)).toBe(message)
  })

  it('4', async () => {
    const searchId = `as ${resultFormat}`
    const running = call({ ...all, searchQuery: `${SLOW} | count`, searchId })
    const cancel = { widgetId: 'cancelSearch', searchId }
    await expect.poll(async () => (await ask(cancel)).state, { timeout: 10_000 }).toBe('OK')
    const read = readAnswer(200, await (await running).text(), false)
    expect(read).toMatchObject({ code: 4, message: '4: the search was cancelled' })
  })
})

describe('every parameter', () => {
  const within = {
    startTimeFullStr: '01/15/2026 12:00:00',
    endTimeFullStr: '01/15/2026 12:04:59',
  }
  const both = async (fields: Fields) => {
    const [xml, csv] = [
      await ask({ searchQuery: 'small', ...fields }),
      await ask({ searchQuery: 'small', resultFormat: 'csv', ...fields }),
    ]
    expect(csv.rows).toEqual(xml.rows)
    expect(csv.columns).toEqual(xml.rows.length === 0 ? csv.columns : xml.columns)
    expect([csv.state, csv.numberOfResults]).toEqual(['OK', xml.numberOfResults])
    return xml
  }
  const numbers = ({ rows }: Awaited<ReturnType<typeof ask>>) => rows.map((row) => Number(row.n))

  it.each([
    ...['last15Minutes', 'last30Minutes', 'last60Minutes', 'last3Hours', 'last12Hours'],
    ...['last24Hours', 'last7Days', 'last14Days', 'last1Months', 'last6Months'],
    ...['currentDay', 'currentWeek'],
  ])('fixedInterval=%s holds what came now', async (fixedInterval) => {
    expect(numbers(await both({ fixedInterval, searchQuery: 'small now' }))).toEqual([300])
  })

  it.each(['previousDay', 'previousWeek'])(
    'fixedInterval=%s holds nothing of now',
    async (name) => {
      expect(numbers(await both({ fixedInterval: name, searchQuery: 'small now' }))).toEqual([])
    },
  )

  it('fixedInterval=allData holds all of it, and without any time it is the last 24 hours', async () => {
    expect((await both({ fixedInterval: 'allData', maxNumOfRecords: 1000 })).rows).toHaveLength(301)
    expect(numbers(await both({}))).toEqual([300])
  })

  it('startTimeFullStr and endTimeFullStr are both included', async () => {
    const end = { ...within, endTimeFullStr: '01/15/2026 12:00:02' }
    expect(numbers(await both(end))).toEqual([2, 1, 0])
  })

  it('maxNumOfRecords is 100 unless it is given', async () => {
    expect(numbers(await both(within))).toEqual(Array.from({ length: 100 }, (_, n) => 299 - n))
    expect(numbers(await both({ ...within, maxNumOfRecords: 2 }))).toEqual([299, 298])
  })

  it('paginate, token and maxRecordsPerPage give each row once, in either format', async () => {
    for (const resultFormat of ['xml', 'csv']) {
      const fields = { ...within, searchQuery: 'small', resultFormat }
      const read: number[] = []
      let page = await ask({ ...fields, paginate: 'true', maxRecordsPerPage: 70 })
      for (let n = 0; page.token !== '' && n < 10; n += 1) {
        expect([page.state, page.numberOfResults]).toEqual(['OK', 300])
        read.push(...numbers(page))
        page = await ask({ token: page.token, resultFormat })
      }
      expect([page.state, page.rows, page.token]).toEqual(['OK', [], ''])
      expect(read).toEqual(Array.from({ length: 300 }, (_, n) => 299 - n))
    }
  })

  it('maxRecordsPerPage is 100 unless it is given; paginate=false pages nothing', async () => {
    expect((await ask({ ...within, searchQuery: 'small', paginate: 'true' })).rows).toHaveLength(
      100,
    )
    expect(await both({ ...within, paginate: 'false' })).toMatchObject({ token: '' })
  })

  it('abortOn, timeout and searchId change nothing while they are not reached', async () => {
    const limits = { abortOn: 300, timeout: 30_000, searchId: 'unreached' }
    expect((await both({ ...within, ...limits })).rows).toHaveLength(100)
  })
})

describe('of another user', () => {
  const asIf = (text: string) => text.replaceAll(/[A-Za-z0-9_-]{32}/g, '?')

  // Also to an administrator, who may see everything and cancel everybody's.
  it.each<[string, () => typeof other, readonly string[]]>([
    ['a user', () => other, ['searchAPI', 'cancelSearch']],
    ['an administrator', admin, ['searchAPI']],
  ])('a token answers %s as one that never was', async (_, asker, widgets) => {
    const fields = { searchQuery: 'small', fixedInterval: 'allData', paginate: 'true' }
    const { token } = await ask(fields, owner)
    for (const widgetId of widgets) {
      const theirs = await call({ widgetId, token }, asker())
      const nobodys = await call({ widgetId, token: 'A'.repeat(32) }, asker())
      expect(theirs.status).toBe(nobodys.status)
      expect(asIf(await theirs.text())).toBe(asIf(await nobodys.text()))
    }
    expect((await ask({ token }, owner)).rows).toHaveLength(100)
  })

  it.each<[string, () => typeof other]>([
    ['a user', () => other],
    ['an administrator', admin],
  ])('a file answers %s as one that never was', async (_, asker) => {
    const fields = { searchQuery: 'bulky', fixedInterval: 'allData', maxNumOfRecords: 1000 }
    const { document } = await ask(fields, owner)
    const { pathname } = new URL(/<Url>(.*)<\/Url>/.exec(document)?.[1] ?? '')
    const read = (path: string, user: typeof other) =>
      fetch(`${product.url}${path}`, { headers: basic(user) })
    const theirs = await read(pathname, asker())
    const nobodys = await read(pathname.replace(/[\w-]{32}/, 'A'.repeat(32)), asker())
    expect(theirs.status).toBe(404)
    expect([theirs.status, await theirs.text()]).toEqual([nobodys.status, await nobodys.text()])
    expect((await read(pathname, owner)).status).toBe(200)
  })
})

describe('searches that want more memory than they may take', () => {
  it('fail, all of them, and take nothing with them: other searches, ingest, processes, events', async () => {
    const pids = () => product.processes().map(({ pid, role }) => `${role} ${pid}`)
    const before = pids()
    const greedy = Array.from({ length: 12 }, () =>
      ask({ searchQuery: GREEDY, fixedInterval: 'allData' }),
    )
    let isOver = false
    const ended = Promise.all(greedy).finally(() => {
      isOver = true
    })
    let sent = 0
    const statuses = new Set<number>()
    while (!isOver || sent < 20) {
      statuses.add(await send([{ message: 'meanwhile', n: sent }]))
      sent += 1
      const small = await ask({ searchQuery: 'small 7', fixedInterval: 'allData' })
      expect([small.state, small.rows.length]).toEqual(['OK', 1])
    }
    for (const answer of await ended) expect(answer).toMatchObject({ state: 'Fail', code: 5 })
    expect([...statuses]).toEqual([200])
    await untilCounted('meanwhile', sent)
    expect(pids()).toEqual(before)
  }, 120_000)
})
