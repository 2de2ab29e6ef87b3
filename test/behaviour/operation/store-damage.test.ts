// Files of the store that are damaged, gone, or of an older moment: a start ends in right answers,
// or names what is missing in health, metrics, log, `doctor` and every search that it touches,
// until an operator accepts it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { unpackFixture } from '../../support/product/data-fixture.ts'
import {
  type Product,
  type Secrets,
  startProduct,
  waitUntilUrlReady,
} from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'
import { execFileSync } from '../../support/run/run-sync.ts'
import { repeatUntil, waitUntil } from '../../support/run/wait-until.ts'

const TEST_MS = 240_000
const SEEN_MS = 90_000
/** Without the role that copies audit entries: what is in the store is counted below. */
const environment = { LOGEYE_ROLES: 'listener,query,writer,store' }
const MAIN = join(import.meta.dirname, '../../../dist/main.js')

let base: string
let dataDir: string
let secrets: Secrets
let product: Product | undefined

/** What a stop left, of which each test damages a copy: `older` of an earlier version, with three
 *  parts of events; `whole` of this one. */
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'logeye-test-damage-'))
  dataDir = join(base, 'now')
  for (const name of ['older', 'whole']) {
    mkdirSync(join(base, name))
    secrets = unpackFixture('format-1-stopped', join(base, name))
  }
  const first = await startProduct({ dataDir: join(base, 'whole'), secrets, environment })
  await first.stop()
}, TEST_MS)
afterEach(async () => {
  await product?.stop()
  product = undefined
  rmSync(dataDir, { recursive: true, force: true })
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

async function startDamaged(
  damage: () => void | Promise<void>,
  from: 'older' | 'whole' = 'whole',
): Promise<Product> {
  execFileSync('cp', ['-a', join(base, from), dataDir])
  await damage()
  product = await startProduct({ dataDir, secrets, environment })
  return product
}

const tableOf = (name: string) => realpathSync(join(dataDir, 'store/data/default', name))

/** Parts of the table, by name; those of `events` in `older` have 1, 31 and 1 rows. */
const partsOf = (name: string) =>
  readdirSync(tableOf(name))
    .filter((it) => /^\d/.test(it))
    .sort()
    .map((it) => join(tableOf(name), it))

function flip(path: string): void {
  const bytes = readFileSync(path)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 0x55
  writeFileSync(path, bytes)
}

type Health = { damage?: { events: number; items: { kind: string; log: string | null }[] } }

async function healthOf({ url }: Product): Promise<Health> {
  // A part that answers late on a busy machine is not ready for a moment.
  await waitUntilUrlReady(url)
  const answer = await fetch(`${url}/logeye/health/ready`)
  expect(answer.status).toBe(200)
  const health: Health = JSON.parse(await answer.text())
  return health
}

const damageOf = async (it: Product) => (await healthOf(it)).damage?.events ?? 0

async function metricsOf({ url }: Product, name: string): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text.split('\n').filter((line) => line.startsWith(name) && !line.endsWith(' 0'))
}

function post({ url }: Product, path: string, body: string, type: string, user = 'admin') {
  const password = user === 'admin' ? secrets.password : 'A-pass-word-of-1'
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const headers = { 'content-type': type, authorization }
  return fetch(`${url}/logeye/${path}`, { method: 'POST', headers, body })
}

const FORM = 'application/x-www-form-urlencoded'
const searchXml = async (it: Product, query: string, user?: string) => {
  const body = new URLSearchParams({
    widgetId: 'searchAPI',
    fixedInterval: 'allData',
    searchQuery: query,
  })
  return await (await post(it, 'view/api/widgetAPI.jsp', `${body}`, FORM, user)).text()
}
const searchJson = async (it: Product, query: string) => {
  const body = JSON.stringify({ query, interval: 'allData' })
  return await (await post(it, 'api/search/events', body, 'application/json')).json()
}
const sdk = async (it: Product, command: string, given: object) =>
  await (await post(it, `sdk/${command}`, JSON.stringify(given), 'application/json')).text()

async function doctor(): Promise<{ code: number; text: string }> {
  const LOGEYE_HTTP_PLAIN_PORT = String(product?.port)
  const env = { ...process.env, LOGEYE_DATA_DIR: dataDir, LOGEYE_HTTP_PLAIN_PORT }
  const child = spawn(process.execPath, [MAIN, 'doctor'], { env })
  const [[code], printed] = await Promise.all([once(child, 'close'), readText(child.stdout)])
  return { code: Number(code), text: printed }
}

const count = (it: Product, query: string) =>
  makeSearchClient(it.url, secrets.password).count(query)

it('a part of which one small file is damaged is repaired', { timeout: TEST_MS }, async () => {
  const it = await startDamaged(() => {
    const [first = '', second = '', third = ''] = partsOf('events')
    flip(join(first, 'columns.txt'))
    flip(join(second, 'checksums.txt'))
    flip(join(third, 'count.txt'))
  }, 'older')
  expect(await count(it, '*')).toBe(33)
  expect(await healthOf(it)).not.toHaveProperty('damage')
  for (const file of ['columns.txt', 'checksums.txt', 'count.txt'])
    expect(it.output()).toMatch(
      new RegExp(`"a part of the store was repaired","table":"events",.*"file":"${file}"`),
    )
  expect(await metricsOf(it, 'logeye_store_repaired_parts_total')).toHaveLength(1)
  expect(await doctor()).toMatchObject({ code: 0 })
})

it('parts that are gone, cut, or have a byte turned over are named until it is accepted', {
  timeout: TEST_MS,
}, async () => {
  const it = await startDamaged(() => {
    const [first = '', second = '', third = ''] = partsOf('events')
    rmSync(first, { recursive: true })
    flip(join(second, 'data.bin'))
    truncateSync(join(third, 'data.bin'), 100)
  }, 'older')
  // A part that is found by reading is named at once, and its logs when it was counted.
  const counted = async () => {
    const { damage } = await healthOf(it)
    return damage?.items.every(({ log }) => log !== null) === true ? damage.events : 0
  }
  await expect.poll(counted, { timeout: SEEN_MS }).toBe(33)
  const { damage } = await healthOf(it)
  expect(damage?.items.every(({ kind }) => kind === 'events')).toBe(true)
  expect(damage?.items.map(({ log }) => log)).toContain('System->rejected')
  expect(await metricsOf(it, 'logeye_store_damaged_events')).toEqual([
    'logeye_store_damaged_events{kind="events",process="work"} 33',
  ])
  expect(it.output()).toContain('"message":"the store is damaged"')
  expect(await doctor()).toMatchObject({ code: 1, text: expect.stringMatching(/^BAD {2}store: /m) })

  const xml = await searchXml(it, 'fixture')
  expect(xml).toMatch(/<Status [^>]*numberOfResults="0"><Warnings><Warning code="store.damaged">/)
  expect(xml).toContain('of the log System-&gt;rejected')
  expect(await searchJson(it, 'fixture')).toMatchObject({
    response: { data: [], warnings: expect.arrayContaining([expect.anything()]) },
  })
  const query = 'widgetId=searchAPI&fixedInterval=allData&resultFormat=json&searchQuery=*'
  const exported = await post(it, 'view/api/widgetAPI.jsp', query, FORM)
  expect(exported.headers.get('x-logeye-warnings')).toMatch(/^store\.damaged=\d+$/)

  // Who may see one log learns of no other.
  await sdk(it, 'securityUsers', {
    action: 'add',
    userName: 'eve',
    userPassword: 'A-pass-word-of-1',
  })
  const seen = { type: 'log', path: 'Events->second', viewUsers: 'eve' }
  for (const path of ['Events', 'System'])
    await sdk(it, 'setPermissions', { type: 'folder', path, viewUsers: 'admin' })
  await sdk(it, 'setPermissions', seen)
  const hers = await searchXml(it, '*', 'eve')
  expect(hers).toContain('state="OK"')
  expect(hers).not.toContain('rejected')
  expect(hers).not.toContain('Default')

  expect(await sdk(it, 'acceptDamage', {})).toContain('"success":true')
  await expect.poll(() => damageOf(it), { timeout: SEEN_MS }).toBe(0)
  await expect.poll(() => searchXml(it, 'fixture')).not.toContain('Warning')
  const restarted = await stopAndStart(it)
  expect(await healthOf(restarted)).not.toHaveProperty('damage')
  expect(await doctor()).toMatchObject({ code: 0 })
})

async function stopAndStart(running: Product): Promise<Product> {
  await running.stop()
  product = await startProduct({ dataDir, secrets, environment })
  return product
}

it('a damaged block of the event log is named until it is accepted, also behind a start', {
  timeout: TEST_MS,
}, async () => {
  const first = await startDamaged(async () => {
    const log = await openEventLog({ dataDir, maxBlockBytes: 2 ** 20, clock: systemClock })
    await log.append(0, Buffer.from('no block at all'))
    await log.close()
  })
  const items = [expect.objectContaining({ kind: 'blocks', events: 1 })]
  await expect.poll(() => healthOf(first), SOON).toHaveProperty('damage', { events: 0, items })
  const it = await stopAndStart(first)
  expect(await healthOf(it)).toHaveProperty('damage', { events: 0, items })
  expect(await metricsOf(it, 'logeye_store_damaged_events')).toEqual([
    'logeye_store_damaged_events{kind="blocks",process="work"} 1',
  ])
  expect(await doctor()).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^BAD {2}store: 1 block/m),
  })
  expect(await searchXml(it, 'fixture')).toContain('1 block of the event log was damaged')
  expect(await sdk(it, 'acceptDamage', {})).toContain('"kind":"blocks"')
  await expect.poll(() => healthOf(it), SOON).not.toHaveProperty('damage')
  await expect.poll(() => searchXml(it, 'fixture')).not.toContain('Warning')
  expect(await doctor()).toMatchObject({ code: 0 })
})

it('counters and keys that are gone are named for what they are', {
  timeout: TEST_MS,
}, async () => {
  const it = await startDamaged(() => {
    for (const part of [...partsOf('counts'), ...partsOf('idempotency')])
      rmSync(part, { recursive: true })
  })
  expect(await count(it, '*')).toBe(33)
  const kinds = (await healthOf(it)).damage?.items.map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['counters', 'keys']))
  expect(await searchXml(it, '* | count')).not.toContain('Warning')
  expect(await searchXml(it, '* | datastream')).toContain('code="store.counters"')
  await sdk(it, 'acceptDamage', {})
  await expect.poll(() => healthOf(it), { timeout: SEEN_MS }).not.toHaveProperty('damage')
})

it.each([
  ['the whole store is removed', () => rmSync(join(dataDir, 'store'), { recursive: true }), 33],
  ['the table of the events is removed', () => rmSync(tableOf('events'), { recursive: true }), 33],
])('%s: what was in it is named', { timeout: TEST_MS }, async (_, damage, events) => {
  const it = await startDamaged(damage)
  expect(await damageOf(it)).toBe(events)
  expect(await searchXml(it, 'fixture')).toContain('code="store.damaged"')
  await sdk(it, 'acceptDamage', {})
  await expect.poll(() => healthOf(it), { timeout: SEEN_MS }).not.toHaveProperty('damage')
  expect(await healthOf(await stopAndStart(it))).not.toHaveProperty('damage')
})

it('a store of an older moment is named by what came later', { timeout: TEST_MS }, async () => {
  const running = await startDamaged(() => undefined)
  const url = `${running.url}/logeye/api/logger.jsp?token=${secrets.token}`
  const body = Array.from({ length: 10 }, (_, n) => `{"message":"later ${n}"}`).join('\n')
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
  await expect.poll(() => count(running, 'later'), { timeout: SEEN_MS }).toBe(10)
  // Found is not yet committed: at the next start the writer would store them again.
  await expect
    .poll(() => metricsOf(running, 'logeye_writer_lag_blocks'), { timeout: SEEN_MS })
    .toEqual([])
  await running.stop()
  rmSync(join(dataDir, 'store'), { recursive: true })
  execFileSync('cp', ['-a', join(base, 'whole/store'), dataDir])
  product = await startProduct({ dataDir, secrets, environment })
  const { damage } = await healthOf(product)
  expect(damage).toMatchObject({ events: 10, items: [{ kind: 'store', events: 10 }] })
  expect(await searchXml(product, 'later')).toContain('10 events stored until ')
  expect(await searchXml(product, 'later')).toContain(
    'the store is empty, or was restored from an older copy',
  )
})

it('under load and kills nothing is taken for damage', { timeout: TEST_MS }, async () => {
  const it = await startDamaged(() => undefined)
  const url = `${it.url}/logeye/api/logger.jsp?token=${secrets.token}`
  const lines = Array.from({ length: 500 }, (_, n) => `{"message":"busy ${n}","n":${n}}`)
  let [sent, isOver] = [0, false]
  const send = () =>
    repeatUntil(
      () => isOver,
      async () => {
        const answer = await fetch(url, { method: 'POST', body: lines.join('\n') }).catch(
          () => null,
        )
        if (answer?.status === 200) sent += lines.length
      },
    )
  const look = async () => {
    for (let round = 0; round < 8; round += 1) {
      // With nothing to accept it is a look.
      await sdk(it, 'acceptDamage', {}).catch(() => undefined)
      const before = sent
      await waitUntil('more is sent', () => sent >= before + 5000)
      const role = round % 4 === 1 ? 'work' : round % 4 === 3 ? 'store' : undefined
      for (const one of it.processes()) if (one.role === role) process.kill(one.pid, 'SIGKILL')
    }
    isOver = true
  }
  await Promise.all([send(), send(), look()])
  await expect.poll(() => count(it, 'busy').catch(() => 0), { timeout: SEEN_MS }).toBe(sent)
  await sdk(it, 'acceptDamage', {})
  expect(await healthOf(it)).not.toHaveProperty('damage')
  expect(it.output()).not.toContain('the store is damaged')
  expect(sent).toBeGreaterThan(0)
})
