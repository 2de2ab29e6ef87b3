// Two products report to one portal, as processes (decision 9.6): what the portal tells is what a
// search counts by hour of receipt, to the byte, also after kill -9.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { findFreePort, isReady, type Product, startProduct } from '../../support/product/product.ts'
import { type Ended, runCommand } from '../../support/product/run-command.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const DAY_MS = 86_400_000
/** Leases of what was killed end, and a heartbeat comes. */
const SOON = { timeout: 240_000, interval: 500 }
const BATCHES = 9
const TEST_MS = 600_000

const folder = mkdtempSync(join(tmpdir(), 'logeye-heartbeat-'))
let portal: Product
let portalUrl: string
let operator: string
let products: Product[]
let organizationId: string

beforeAll(async () => {
  const port = await findFreePort()
  portalUrl = `http://127.0.0.1:${port}`
  const environment = {
    ...{ LOGEYE_ROLES: 'portal', LOGEYE_PORTAL_ADDRESS: '127.0.0.1' },
    ...{ LOGEYE_PORTAL_PLAIN_PORT: String(port), LOGEYE_PORTAL_HEARTBEAT_SECONDS: '2' },
  }
  const dataDir = join(folder, 'portal')
  const inited = runCommand(['portal', 'init'], { ...environment, LOGEYE_DATA_DIR: dataDir })
  operator = /opr_[0-9A-Za-z]+/.exec(inited.out)?.[0] ?? inited.err
  // One after the other: a machine has few processors.
  portal = await startProduct({ dataDir, environment, secrets: { token: '', password: '' } })
  products = []
  for (const name of ['a', 'b']) products.push(await startProduct({ dataDir: join(folder, name) }))
}, TEST_MS)
afterAll(async () => {
  for (const product of [...(products ?? []), portal]) await product?.killAll()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${portalUrl}/api/portal/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...{ authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

const admin = ({ url, secrets }: Product) => ({ url, password: secrets.password })

/** Events of many times, of which one has a size of its own. */
async function send({ url, secrets }: Product, batch: number): Promise<number> {
  const events = Array.from({ length: 50 }, (_, at) => ({
    message: `event ${batch} ${at} ${'ä'.repeat((batch * 7 + at) % 90)}`,
    time: new Date(Date.now() - at * batch * DAY_MS).toISOString(),
    productName: `log ${at % 5}`,
  }))
  const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  expect(answer.status).toBe(200)
  return events.length
}

type Told = [hour: string, events: number, bytes: number]

/** As a search counts what was received. */
async function received({ url, secrets }: Product): Promise<Told[]> {
  const answer = await fetch(`${url}/logeye/view/api/widgetAPI.jsp`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ widgetId: 'searchAPI', searchQuery: '* | datastream received | interval 1 hour' },
      ...{ startTime: '-1d', timeZone: 'UTC', resultFormat: 'json', maxNumOfRecords: '100' },
      ...{ autoLogin: 'true', username: 'admin', password: secrets.password },
    }),
  })
  const rows = (await answer.text()).split('\n').filter((line) => line !== '')
  return rows
    .map((line) => JSON.parse(line))
    .filter(({ events }) => Number(events) > 0)
    .map(({ time, events, volume }) => [
      new Date(`${time} UTC`).toISOString(),
      Number(events),
      Number(volume),
    ])
}

async function told(deploymentId: string): Promise<Told[]> {
  const { text } = await ask(`/usage?granularity=hour&deploymentId=${deploymentId}`, undefined, {
    ...{ accept: 'application/x-ndjson', 'x-organization-id': organizationId },
  })
  const rows = text.split('\n').filter((line) => line !== '')
  return rows
    .map((line) => JSON.parse(line))
    .map(({ time, events, bytes }): Told => [time, events, bytes])
    .sort()
}

function firstOf([product]: readonly Product[]): Product {
  if (product === undefined) throw new Error('no product')
  return product
}

async function licenseOf(product: Product) {
  const { response } = await callSdk(admin(product), 'license')
  return Object(response)
}

const eventsOf = (rows: Told[]) => rows.reduce((sum, [, events]) => sum + events, 0)

async function reconcile({ dataDir, port, url }: Product): Promise<Ended> {
  const ended = runCommand(['reconcile', '--by', 'hour', '--days', '1'], {
    ...{ LOGEYE_DATA_DIR: dataDir, LOGEYE_HTTP_PLAIN_PORT: String(port) },
    LOGEYE_HTTP_ADDRESS: '127.0.0.1',
  })
  // Nothing was read meanwhile: it has yet to see which connections are closed.
  await waitUntil('the product answers', () => isReady(url))
  return ended
}

it(
  'the portal knows every byte once, whatever was killed',
  async () => {
    organizationId = JSON.parse((await ask('/organizations', { name: 'Customer' })).text).id
    const sent: number[] = []
    for (const [at, product] of products.entries()) {
      const plan = { name: 'Team', volumeBytesPerDay: 1_000_000 }
      const body = { organizationId, name: `L${at}`, plan, validTo: '2045-01-01T00:00:00Z' }
      const { licenseKey } = JSON.parse((await ask('/licenses', body)).text)
      // No restart, and off until both are given.
      const settings: Record<string, string>[] = [
        { set: `system.deploymentName=Site ${at}` },
        { portalUrl },
        { portalLicenseKey: licenseKey },
      ]
      for (const given of settings)
        expect(await callSdk(admin(product), 'settings', given)).toMatchObject({ success: true })
      sent.push(0)
    }
    await expect
      .poll(async () => (await licenseOf(firstOf(products))).portal, SOON)
      .toBe('reporting')
    for (let batch = 0; batch < BATCHES; batch += 1) {
      for (const [at, product] of products.entries())
        sent[at] = (sent[at] ?? 0) + (await send(product, batch))
      const [product] = products
      // The process that reports, in the midst of it; and once the whole product.
      const work = product?.processes().find(({ role }) => role === 'work')
      if (batch % 4 === 2 && work !== undefined) process.kill(work.pid, 'SIGKILL')
      if (batch === 5 && product !== undefined) {
        await product.killAll()
        const { dataDir, port, secrets } = product
        products[0] = await startProduct({ dataDir, port, secrets })
      }
      if (batch === 7) {
        await portal.killAll()
        const { dataDir, port, secrets } = portal
        const environment = {
          ...{ LOGEYE_ROLES: 'portal', LOGEYE_PORTAL_ADDRESS: '127.0.0.1' },
          LOGEYE_PORTAL_PLAIN_PORT: new URL(portalUrl).port,
          LOGEYE_PORTAL_HEARTBEAT_SECONDS: '2',
        }
        portal = await startProduct({ dataDir, port, secrets, environment })
      }
    }
    for (const [at, product] of products.entries()) {
      const id: string = (await licenseOf(product)).portalDeployment
      expect(id).toMatch(/^dep_/)
      await expect.poll(async () => eventsOf(await told(id)), SOON).toBe(sent[at])
      const rows = await received(product)
      expect(eventsOf(rows)).toBe(sent[at])
      await expect.poll(() => told(id), SOON).toEqual(rows)
      const ended = await reconcile(product)
      expect([ended.status, ended.err]).toEqual([0, ''])
      for (const [hour, events, bytes] of rows)
        expect(ended.out.replaceAll(/ +/g, ' ')).toContain(
          `${hour.slice(0, 13)}:00 ${Array(4).fill(`${events} / ${bytes}`).join(' ')} equal`,
        )
      expect(await licenseOf(product)).toMatchObject({
        ...{ portal: 'reporting', entitlement: 'active', portalLicense: 'active' },
        ...{ entitledName: `L${at}`, portalDueHours: 0, portalWarnings: [] },
      })
    }
  },
  TEST_MS,
)

it(
  'nothing stops while the portal is away, and what differs is told',
  async () => {
    const product = products[1]
    if (product === undefined) throw new Error('no product')
    await portal.killAll()
    await send(product, 3)
    await expect.poll(async () => (await licenseOf(product)).portal, SOON).toBe('failing')
    // A failed heartbeat may be told before the writer has put the last batch into the store.
    await expect.poll(async () => eventsOf(await received(product)), SOON).toBe((BATCHES + 1) * 50)
    const { response } = await callSdk(admin(product), 'doctor')
    const found = Object(response).findings.filter(
      ({ check }: { check: string }) => check === 'portal',
    )
    expect(found).toMatchObject([{ grade: 'ok', text: expect.stringContaining('nothing listens') }])
    const ended = await reconcile(product)
    expect(ended.status).toBe(1)
    expect(ended.out).toContain('portal: cannot be read: nothing listens there')
  },
  TEST_MS,
)
