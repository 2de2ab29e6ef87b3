// `restart`, the ports of the database and the licence, at a running product.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printDocument, printPublicKey } from '../../../infra/signed-documents/signed-document.ts'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import {
  findFreePort,
  isReady,
  type Product,
  startProduct,
  waitUntilUrlReady,
} from '../../support/product/product.ts'
import { startSteadyLoad } from '../../support/product/steady-load.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const environment = { LOGEYE_LICENSE_PUBLIC_KEY: printPublicKey(publicKey) }
let dataDir: string
let product: Product
const admin = (url = product.url) => ({ url, password: product.secrets.password })

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-restart-'))
  product = await startProduct({ dataDir, environment })
})
afterAll(async () => {
  await product?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function untilAnew(before: ReadonlySet<number>): Promise<void> {
  const processes = () =>
    product.processes().filter(({ role }) => ['front', 'work', 'store'].includes(role))
  await waitUntil(
    'there are three new processes',
    () => {
      const now = processes()
      return now.length === 3 && now.every(({ pid }) => !before.has(pid))
    },
    () => [processes(), product.output()],
  )
  const left = product.processes().filter(({ pid }) => before.has(pid))
  expect(left, product.output()).toEqual([])
}

function restartsInAudit(): readonly { readonly result: string }[] {
  const audit = new Libsql(join(dataDir, 'logeye.db'), { timeout: 5000 })
  const kept = audit.prepare("select result from audit where action = 'sdk.restart'").all([])
  audit.close()
  return kept.map((row) => ({ result: String(Object(row).result) }))
}

describe('restart', () => {
  it('starts every process anew; what was acknowledged is found, once', async () => {
    const before = new Set(product.processes().map(({ pid }) => pid))
    const load = startSteadyLoad({ url: product.url, token: product.secrets.token })
    const acknowledged = () => load.acknowledged().size
    await waitUntil('events are acknowledged', () => acknowledged() > 0)
    const reply = await callSdk(admin(), 'restart')
    expect(reply).toMatchObject({ success: true, response: { restarting: true, otherNodes: [] } })
    await untilAnew(before)
    const atRestart = acknowledged()
    await waitUntil('more are acknowledged', () => acknowledged() > atRestart, acknowledged)
    await load.stop()
    await waitUntilUrlReady(product.url)
    const wanted = load.acknowledged().size
    const { count, search } = makeSearchClient(product.url, product.secrets.password)
    const found = () => count('steady')
    await waitUntil('all are found', async () => (await found()) >= wanted, found)
    expect(await found()).toBe(wanted)
    const { rows } = await search('steady | count distinct n')
    expect(Number(rows[1]?.[0])).toBe(wanted)
    expect(restartsInAudit()).toMatchObject([{ result: 'done' }])
  })

  it('of another machine, or by who may not, is refused and restarts nothing', async () => {
    const before = product.processes().map(({ pid }) => pid)
    const other = await callSdk(admin(), 'restart', { node: 'elsewhere' })
    expect(other.errorMessage).toContain('there is no node elsewhere, this one is ')
    const made = {
      action: 'add',
      userName: 'viewer',
      userPassword: 'a long password 1',
      policy: 'view only',
    }
    expect(await callSdk(admin(), 'securityUsers', made)).toMatchObject({ success: true })
    const viewer = { ...admin(), user: 'viewer', password: 'a long password 1' }
    for (const command of ['restart', 'backup', 'license'])
      expect(await callSdk(viewer, command)).toMatchObject({ success: false, status: 403 })
    expect(restartsInAudit().filter(({ result }) => result === 'done')).toHaveLength(1)
    expect(product.processes().map(({ pid }) => pid)).toEqual(before)
  })
})

describe('the licence', () => {
  it('is installed only when it is good, is shown, warns, and stops nothing', async () => {
    const first = await callSdk(admin(), 'license')
    expect(first.response).toMatchObject({ state: 'none', warning: '' })
    const { serverKey } = first.response as { serverKey: string }
    expect(serverKey).toMatch(/^([0-9A-F]{5}-){7}[0-9A-F]{5}$/)
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const content = {
      ...{ type: 'license', id: 'l-1', name: 'Example Ltd', serverKey, features: ['search'] },
      ...{ volumeBytesPerDay: 10_000_000_000, begin: day(-1), end: day(20) },
    }
    const print = (change: object, key = privateKey) =>
      printDocument({ ...content, ...change }, key, ['Logeye licence'])
    const good = await callSdk(admin(), 'license', { files: print({}) })
    expect(good.response).toMatchObject({ state: 'ending', name: 'Example Ltd', id: 'l-1' })
    const refused: readonly (readonly [string, string])[] = [
      [print({ end: day(-1), begin: day(-9) }), 'the licence ended'],
      [print({ serverKey: 'AAAAA' }), 'for the server key AAAAA'],
      [print({ begin: day(9) }), 'the licence begins'],
      [print({}, generateKeyPairSync('ed25519').privateKey), 'not signed by the maker'],
      ['some text', 'holds no whole document'],
    ]
    for (const [text, reason] of refused) {
      const reply = await callSdk(admin(), 'license', { text })
      expect(reply.success).toBe(false)
      expect(reply.errorMessage).toContain(reason)
      expect(reply.errorMessage).toContain('what was installed before stays')
    }
    expect((await callSdk(admin(), 'license')).response).toMatchObject({ id: 'l-1' })
    const health = async () => {
      const answer = await fetch(`${product.url}/logeye/health/ready`)
      return { status: answer.status, text: await answer.text() }
    }
    // The license is read again after a while.
    const warns = async () => (await health()).text.includes('ends in 20 days')
    await waitUntil('the health warns of the license', warns, health)
    const { status, text } = await health()
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      license: { warning: expect.stringContaining('ends in 20 days') },
    })
    const page = await (await fetch(`${product.url}/logeye/root.html`)).text()
    expect(page).toContain('the licence ends in 20 days')
  })
})

describe('ports in the database', () => {
  it('are overridden by the process configuration, which refuses the change', async () => {
    const reply = await callSdk(admin(), 'settings', { httpPort: '18080' })
    expect(reply.success).toBe(false)
    expect(reply.errorMessage).toContain('change LOGEYE_HTTP_PLAIN_PORT')
    const generic = await callSdk(admin(), 'settings', { set: 'system.httpPort=18080' })
    expect(generic.errorMessage).toContain('change LOGEYE_HTTP_PLAIN_PORT')
    const tls = await callSdk(admin(), 'settings', { httpsPort: '18443' })
    expect(tls.response).toMatchObject({
      'system.httpsPort': '18443',
      notes: expect.stringContaining('restart'),
    })
    const agent = await callSdk(admin(), 'settings', { agentMode: 'true' })
    expect(agent.errorMessage).toContain('this system has no agent mode')
  })

  it('keep the key of the portal, and never show it again', async () => {
    const key = 'lic_0123456789abcdefghij'
    const reply = await callSdk(admin(), 'settings', { portalLicenseKey: key })
    expect(reply.response).toEqual({ 'system.portalLicenseKey': '***' })
    const all = await callSdk(admin(), 'settings', { list: 'true' })
    expect(JSON.stringify(all)).not.toContain(key)
    const set = await callSdk(admin(), 'settings', { set: `system.portalLicenseKey=${key}` })
    expect(set.errorMessage).toContain('give it with -portalLicenseKey')
    const database = new Libsql(join(dataDir, 'logeye.db'), { timeout: 5000 })
    const audit = JSON.stringify(database.prepare('select details, target from audit').all([]))
    database.close()
    expect(audit).not.toContain('0123456789abcdefghij')
  })

  it('hold from the next restart on', async () => {
    await product.stop()
    const [first, second] = [await findFreePort(), await findFreePort()]
    const database = new Libsql(join(dataDir, 'logeye.db'), { timeout: 5000 })
    const sql = "insert or replace into settings (name, value) values ('system.httpPort', ?)"
    database.prepare(sql).run([String(first)])
    database.close()
    const { secrets } = product
    const unset = { ...environment, LOGEYE_HTTP_PLAIN_PORT: '' }
    product = await startProduct({ dataDir, secrets, port: first, environment: unset })
    const changed = await callSdk(admin(), 'settings', { httpPort: String(second) })
    expect(changed.response).toMatchObject({
      'system.httpPort': String(second),
      notes: expect.stringContaining('restart'),
    })
    expect(await isReady(product.url)).toBe(true)
    const same = await callSdk(admin(), 'settings', { httpsPort: String(second) })
    expect(same.errorMessage).toContain('HTTP and HTTPS need two ports')
    const before = new Set(product.processes().map(({ pid }) => pid))
    expect(await callSdk(admin(), 'restart')).toMatchObject({ success: true })
    await untilAnew(before)
    const moved = `http://127.0.0.1:${second}`
    await waitUntil('the new port is ready', () => isReady(moved), product.output)
    expect(await isReady(product.url)).toBe(false)
    expect(await callSdk(admin(moved), 'license')).toMatchObject({ success: true })
  })
})
