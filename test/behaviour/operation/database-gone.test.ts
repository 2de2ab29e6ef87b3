// A database that is gone, emptied, damaged, older or of another product, beside the events of this
// one: said in one line, or mended so that no number of a log is given twice. Never a first start.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callSdk } from '../../support/clients/sdk-client.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { startProduct } from '../../support/product/product.ts'
import { runCommand } from '../../support/product/run-command.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

let place: string
let secrets: { token: string; password: string }
/** Of the one log with an event; the database of `older` does not have it. */
let logId: number
let dataDir: string
const template = () => join(place, 'template')
const older = () => join(place, 'older.db')
const inData = (name: string) => join(dataDir, name)

type Client = Awaited<ReturnType<typeof startProduct>>
const products: Client[] = []
async function start(dir: string, known?: typeof secrets): Promise<Client> {
  const product = await startProduct({
    dataDir: dir,
    // Without what the scheduler copies of the audit log: the logs of the test are all there are.
    environment: { LOGEYE_ROLES: 'listener,query,writer,store' },
    ...(known ? { secrets: known } : {}),
  })
  products.push(product)
  return product
}

async function send(product: Client, message: string, token = secrets.token): Promise<void> {
  const url = `${product.url}/logeye/api/logger.jsp?token=${token}&hostName=${message}`
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ message }), headers })
  expect(answer.status).toBe(200)
}

async function arrives(product: Client, word: string, password = secrets.password) {
  const { count } = makeSearchClient(product.url, password)
  await waitUntil(`${word} is found`, async () => (await count(word)) > 0)
  expect(await count(word)).toBe(1)
}

function readIds(file: string, only = 'true'): number[] {
  const libsql = new Libsql(file, { readonly: true })
  const ids = libsql.prepare(`select id from logs where ${only} order by id`).pluck().all([])
  libsql.close()
  return ids.map(Number)
}

const refused = (text: RegExp) => new RegExp(`^logeye: [^\\n]*${text.source}[^\\n]*\\n$`)
const startOn = () => runCommand(['start'], { LOGEYE_DATA_DIR: dataDir })

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'logeye-test-gone-'))
  const first = await start(template())
  secrets = first.secrets
  await first.stop()
  copyFileSync(join(template(), 'logeye.db'), older())
  const product = await start(template(), secrets)
  await send(product, 'secretword')
  await arrives(product, 'secretword')
  await product.stop()
  // A log of the product itself may have been made at the stop, before its first event is stored.
  logId = readIds(join(template(), 'logeye.db'), "name = 'Default'").at(-1) ?? 0
}, 180_000)
beforeEach(() => {
  dataDir = join(place, 'data')
  cpSync(template(), dataDir, { recursive: true })
})
afterEach(async () => {
  for (const product of products.splice(0)) await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
afterAll(async () => {
  for (const product of products.splice(0)) await product.stop()
  rmSync(place, { recursive: true, force: true })
})

it('a clean stop leaves a database that is whole without its log', () => {
  expect(statSync(inData('logeye.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  expect(readIds(older())).toEqual([1])
  expect(logId).toBeGreaterThan(1)
})

describe('a start is refused, and nothing is made', () => {
  it('without the database', () => {
    for (const end of ['', '-wal', '-shm']) rmSync(inData(`logeye.db${end}`), { force: true })
    const ended = startOn()
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(refused(/logeye\.db is missing beside a store and an event log/))
    expect(ended.err).toContain("run 'logeye adopt-data'")
    expect(existsSync(inData('logeye.db'))).toBe(false)
  })

  it('with a database whose log was not copied with it', () => {
    rmSync(inData('logeye.db'))
    const libsql = new Libsql(inData('logeye.db'))
    libsql.exec('pragma journal_mode = wal')
    libsql.close()
    for (const end of ['-wal', '-shm']) rmSync(inData(`logeye.db${end}`), { force: true })
    const before = readFileSync(inData('logeye.db'))
    const ended = startOn()
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(refused(/logeye\.db is (empty|missing)/))
    expect(readFileSync(inData('logeye.db'))).toEqual(before)
  })

  it('with the log alone, which stays', () => {
    rmSync(inData('logeye.db'))
    writeFileSync(inData('logeye.db-wal'), Buffer.alloc(5000, 1))
    const ended = startOn()
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(refused(/missing beside its log logeye\.db-wal/))
    expect(statSync(inData('logeye.db-wal')).size).toBe(5000)
  })

  it('with a damaged database, after a stop that was none', () => {
    const bytes = readFileSync(inData('logeye.db'))
    bytes.fill(0x5a, 4096 * 3, 4096 * 20)
    writeFileSync(inData('logeye.db'), bytes)
    writeFileSync(inData('logeye.db-wal'), Buffer.alloc(64))
    const ended = startOn()
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(refused(/the database .*logeye\.db is damaged: bring back a copy/))
  })

  it('with the database of another product', () => {
    writeFileSync(inData('installation'), `${'0'.repeat(32)}\n`)
    const ended = startOn()
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(refused(/the database is not that of the data directory/))
    expect(runCommand(['adopt-data'], { LOGEYE_DATA_DIR: dataDir }).status).toBe(0)
    expect(readFileSync(inData('installation'), 'utf8')).not.toContain('0000000')
  })
})

describe('no number of a log is given twice', () => {
  it('with a database that is older than the store', { timeout: 240_000 }, async () => {
    copyFileSync(older(), inData('logeye.db'))
    const product = await start(dataDir, secrets)
    await send(product, 'laterword')
    await arrives(product, 'laterword')
    expect(product.output()).toContain('of logs that the database does not know')
    expect(await damageOf(product)).toMatchObject([{ kind: 'logs', events: 1 }])
    const told = await searchXml(product, 'laterword')
    expect(told).toContain('<Warning code="store.damaged">')
    expect(told).toContain('the database is older than the store')
    await callSdk(product.url, secrets.password, 'acceptDamage', {})
    expect(await damageOf(product)).toEqual([])
    const { rows } = await makeSearchClient(product.url, secrets.password).search('laterword')
    expect(rows.flat().join()).toContain('laterword')
    await product.stop()
    const again = await start(dataDir, secrets)
    expect(await damageOf(again)).toEqual([])
    await again.stop()
    const ids = readIds(inData('logeye.db'))
    expect(ids.filter((id) => id > 1).every((id) => id > logId)).toBe(true)
    expect(ids.length).toBeGreaterThan(1)
  })

  it('after adopt-data, which makes new secrets for a new database', {
    timeout: 240_000,
  }, async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(inData(`logeye.db${end}`), { force: true })
    const adopted = runCommand(['adopt-data'], { LOGEYE_DATA_DIR: dataDir })
    expect([adopted.status, adopted.err]).toEqual([0, ''])
    const token = /Default, token +(\S+)/.exec(adopted.out)?.[1] ?? ''
    const password = /admin, password +(\S+)/.exec(adopted.out)?.[1] ?? ''
    expect(readdirSync(dataDir)).toContain('logeye.db')
    const product = await start(dataDir, { token, password })
    await send(product, 'adoptedword', token)
    await arrives(product, 'adoptedword', password)
    await product.stop()
    const ids = readIds(inData('logeye.db')).filter((id) => id > 1)
    expect(Math.min(...ids)).toBeGreaterThan(logId)
  })
})

async function damageOf({ url }: Client): Promise<unknown[]> {
  const answer = await fetch(`${url}/logeye/health/ready`)
  const damage = z.object({ items: z.array(z.unknown()) }).optional()
  return z.object({ damage }).parse(await answer.json()).damage?.items ?? []
}

async function searchXml({ url }: Client, query: string): Promise<string> {
  const body = new URLSearchParams({
    ...{ widgetId: 'searchAPI', searchQuery: query, fixedInterval: 'allData' },
    ...{ autoLogin: 'true', username: 'admin', password: secrets.password },
  })
  const answer = await fetch(`${url}/logeye/view/api/widgetAPI.jsp`, { method: 'POST', body })
  return await answer.text()
}
