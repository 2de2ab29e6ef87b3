// The product's side of decision 9.6, against the portal itself: what was stored arrives there
// once, whatever fails between the two.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeNewLog } from '../../support/database/new-log.ts'
import { useMetastores } from '../../support/database/open-metastores.ts'
import { customersOf } from '../../support/portal/customers.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import {
  addCounts,
  type Counted,
  HOUR_MS,
  makeMovedClock,
  makeReportingProduct,
  servePortal,
} from '../../support/portal/reporting-product.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'

useMetastores()

const DAY_MS = 24 * HOUR_MS
const clock = makeMovedClock()

let shared: SharedStore
let portal: TestPortal
let customers: ReturnType<typeof customersOf>
let door: Awaited<ReturnType<typeof servePortal>>

beforeAll(async () => {
  shared = await openSharedStore()
  portal = await makeTestPortal({ clock })
  customers = customersOf(portal, clock)
})
afterAll(() => shared.stop())
beforeEach(async () => {
  await shared.store.command({ sql: 'TRUNCATE TABLE counts' })
  door = await servePortal(portal.app)
})
afterEach(() => door.stop())

const add = (...counts: Counted[]) => addCounts(shared.store, counts)
const hourOf = (ms: number) => new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString()

async function makeSetUp() {
  const customer = await customers.makeCustomer()
  const product = await makeReportingProduct({ clock, store: shared.store })
  const { licenseKey } = customer
  await product.set({ 'system.portalUrl': door.url, 'system.portalLicenseKey': licenseKey })
  return { customer, product }
}

it('nothing is sent while address or key are not set', async () => {
  const product = await makeReportingProduct({ clock, store: shared.store })
  await add({ atMs: clock.nowMs(), bytes: 5 })
  await product.set({ 'system.portalUrl': door.url })
  await product.run()
  expect(door.bodies).toEqual([])
  expect(await product.look()).toMatchObject({ state: 'off', warnings: [] })
})

it('reports stored events and bytes by hour of receipt, without the folder System', async () => {
  const { customer, product } = await makeSetUp()
  const nowMs = clock.nowMs()
  const [own, removed, other] = await product.metastore.addLogs([
    makeNewLog({ folder: ['System'], name: 'audit' }),
    makeNewLog({ folder: ['System', 'deep'], name: 'more' }),
    makeNewLog({ folder: ['Other', 'System'], name: 'kept' }),
  ])
  if (own === undefined || removed === undefined || other === undefined) throw new Error('no logs')
  await add(
    { atMs: nowMs - 2 * HOUR_MS, bytes: 100, events: 3 },
    { atMs: nowMs - 2 * HOUR_MS, bytes: 50, logId: other.id },
    { atMs: nowMs - 2 * HOUR_MS, bytes: 9000, logId: own.id },
    { atMs: nowMs - HOUR_MS, bytes: 9000, logId: removed.id },
    { atMs: nowMs, bytes: 7 },
  )
  await product.set({ 'system.deploymentName': 'Berlin' })
  await product.run()
  expect(await customers.usage(customer.organizationId)).toEqual([
    [hourOf(nowMs - 2 * HOUR_MS), 4, 150],
    [hourOf(nowMs), 1, 7],
  ])
  const [deployment] = await customers.deploymentsOf(customer.organizationId)
  expect(deployment).toMatchObject({ name: 'Berlin', version: '1.2.3', layout: 'V7' })
  expect(door.bodies).toEqual([
    { as: 'lic_', meters: 0 },
    { as: 'dpl_', meters: 2 },
  ])
  const link = await product.link()
  expect(link?.token).not.toContain('dpl_')
  expect(await product.metrics()).toContain('logeye_portal_due_hours{process="test"} 0')
  expect(await product.look()).toMatchObject({
    ...{ state: 'reporting', warnings: [] },
    entitlement: { state: 'active', entitlement: { license: { state: 'active' } } },
  })
})

it('waits as long as the portal says, and sends what has changed since', async () => {
  const { customer, product } = await makeSetUp()
  const nowMs = clock.nowMs()
  await add({ atMs: nowMs, bytes: 1 }, { atMs: nowMs - 10 * DAY_MS, bytes: 2 })
  await product.run()
  await product.run()
  expect(door.bodies).toHaveLength(2)
  const waitMs = ((await product.link())?.next_ms ?? 0) - clock.nowMs()
  expect(waitMs).toBeGreaterThan(0.89 * HOUR_MS)
  expect(waitMs).toBeLessThan(1.11 * HOUR_MS)
  await add({ atMs: nowMs, bytes: 10 }, { atMs: nowMs - 10 * DAY_MS, bytes: 20 })
  await product.beat()
  // Hours of long ago are compared once a day.
  expect(door.bodies.at(-1)).toEqual({ as: 'dpl_', meters: 1 })
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(13)
  clock.move(DAY_MS)
  await product.beat()
  expect(door.bodies.at(-1)).toEqual({ as: 'dpl_', meters: 1 })
  expect(await customers.usage(customer.organizationId)).toEqual([
    [hourOf(nowMs - 10 * DAY_MS), 2, 22],
    [hourOf(nowMs), 2, 11],
  ])
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(33)
})

it('catches up after days, at most 2,000 hours a call', async () => {
  const { customer, product } = await makeSetUp()
  await add({ atMs: clock.nowMs(), bytes: 1 })
  await product.run()
  await door.stop()
  let bytes = 1
  const untilMs = clock.nowMs() + 3 * DAY_MS
  let failures = 0
  while (clock.nowMs() < untilMs) {
    bytes += 1000
    await add({ atMs: clock.nowMs(), bytes: 1000 })
    await product.beat()
    failures += 1
    expect((await product.link())?.failure).toBe('unreachable')
    clock.move(0.4 * HOUR_MS)
  }
  // Slower and slower, and never slower than an hour.
  expect(failures).toBeGreaterThan(40)
  expect(failures).toBeLessThan(110)
  const { warnings } = await product.look()
  expect(warnings[0]?.text).toMatch(/has taken no report for 7\d hours: nothing listens there/)
  const long = Array.from({ length: 4500 }, (_, at) => ({
    atMs: clock.nowMs() - (at + 100) * HOUR_MS,
    bytes: at,
  }))
  await add(...long)
  bytes += (4499 * 4500) / 2
  await door.start()
  door.bodies.length = 0
  await product.beat()
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(bytes)
  expect(Math.max(...door.bodies.map(({ meters }) => meters))).toBe(2000)
  expect(door.bodies.length).toBe(4)
  expect(await product.look()).toMatchObject({ state: 'reporting', warnings: [] })
}, 300_000)

it('an answer that is lost counts nothing twice', async () => {
  const { customer, product } = await makeSetUp()
  await add({ atMs: clock.nowMs(), bytes: 40 })
  door.loseAnswers(true)
  // The first contact, too: its token is lost.
  await product.run()
  await product.beat()
  door.loseAnswers(false)
  await product.beat()
  door.loseAnswers(true)
  await add({ atMs: clock.nowMs(), bytes: 2 })
  await product.beat()
  expect((await product.look()).state).toBe('failing')
  await add({ atMs: clock.nowMs(), bytes: 1 })
  door.loseAnswers(false)
  await product.beat()
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(43)
  expect(await customers.deploymentsOf(customer.organizationId)).toHaveLength(1)
})

it('a process that dies between the commit of the portal and its own mark counts nothing twice', async () => {
  const { customer, product } = await makeSetUp()
  await add({ atMs: clock.nowMs(), bytes: 40 })
  await product.run()
  await add({ atMs: clock.nowMs(), bytes: 2 })
  // Its lease is another's: nothing that it learns is kept.
  const lost = { ...product.held, fence: product.held.fence + 1 }
  clock.move(2 * HOUR_MS)
  await expect(product.run({ held: lost })).rejects.toMatchObject({ code: 'database.lease_lost' })
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(42)
  await add({ atMs: clock.nowMs(), bytes: 1 })
  await product.run()
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(43)
  expect(door.bodies.slice(-2).map(({ meters }) => meters)).toEqual([1, 2])
})

it('a token that has ended is replaced by the licence key, and nothing is reported again', async () => {
  const { customer, product } = await makeSetUp()
  await add({ atMs: clock.nowMs(), bytes: 40 })
  await product.run()
  const { deployment_id } = (await product.link()) ?? {}
  const path = `/deployments/${deployment_id}/token`
  await portal.ask({ method: 'POST', path, as: portal.operator })
  door.bodies.length = 0
  await product.beat()
  expect(door.bodies).toEqual([
    { as: 'dpl_', meters: 0 },
    { as: 'lic_', meters: 0 },
    { as: 'dpl_', meters: 0 },
  ])
  expect(await product.link()).toMatchObject({ deployment_id, failure: '' })
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(40)
})

it('a key that is revoked or unknown is told, and tried again more and more seldom', async () => {
  const { customer, product } = await makeSetUp()
  const path = `/licenses/${customer.licenseId}/keys/${customer.keyId}`
  await portal.ask({ method: 'DELETE', path, as: portal.operator })
  await add({ atMs: clock.nowMs(), bytes: 40 })
  await product.run()
  expect((await product.look()).warnings[0]?.text).toContain('the licence was revoked')
  for (let beats = 0; beats < 12; beats += 1) await product.beat()
  const waitMs = ((await product.link())?.next_ms ?? 0) - clock.nowMs()
  expect(waitMs).toBeGreaterThan(0.89 * HOUR_MS)
  const unknown = customer.licenseKey.replace(/.{4}$/, 'AAAA')
  await product.set({ 'system.portalLicenseKey': unknown })
  await product.run()
  expect((await product.look()).warnings[0]?.text).toContain('does not know the licence key')
  // Another key is tried at once.
  const { licenseKey } = await customers.makeLicense(customer.organizationId)
  await product.set({ 'system.portalLicenseKey': licenseKey })
  await product.run()
  expect(await product.look()).toMatchObject({ state: 'reporting', warnings: [] })
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(40)
})

it('a licence that is revoked at the portal stops no report, and is told', async () => {
  const { customer, product } = await makeSetUp()
  await product.run()
  const path = `/licenses/${customer.licenseId}`
  await portal.ask({
    ...{ method: 'PATCH', path, as: portal.operator, body: { state: 'revoked' } },
  })
  await add({ atMs: clock.nowMs(), bytes: 3 })
  await product.beat()
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(3)
  const { warnings } = await product.look()
  expect(warnings.map(({ text }) => text)).toEqual(['the licence at the portal is revoked'])
})

it('another licence at the same portal counts no hour twice', async () => {
  const { customer, product } = await makeSetUp()
  const atMs = clock.nowMs()
  await add({ atMs, bytes: 40 }, { atMs: atMs - 5 * HOUR_MS, bytes: 60 })
  await product.run()
  await add({ atMs, bytes: 2 })
  const { licenseKey } = await customers.makeLicense(customer.organizationId)
  await product.set({ 'system.portalLicenseKey': licenseKey })
  await product.run()
  const deployments = await customers.deploymentsOf(customer.organizationId)
  expect(deployments).toHaveLength(2)
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(102)
  await add({ atMs: atMs - 5 * HOUR_MS, bytes: 1 })
  await product.beat()
  expect(await customers.bytesOfDays(customer.organizationId)).toBe(103)
})

it('a portal that signs with another key is not believed until an operator trusts it', async () => {
  const { customer, product } = await makeSetUp()
  await add({ atMs: clock.nowMs(), bytes: 40 })
  await product.run()
  const before = await product.link()
  const kept = await portal.database.read.selectFrom('signing_keys').selectAll().execute()
  await portal.database.write(async (transaction) => {
    await transaction.deleteFrom('signing_keys').execute()
  })
  const other = await portal.another()
  await door.stop()
  const changed = await servePortal(other.app)
  try {
    await product.set({ 'system.portalUrl': changed.url })
    // The address alone is another one: what an operator says is trusted.
    await product.run()
    expect((await product.look()).state).toBe('reporting')
    expect((await product.link())?.portal_key).not.toBe(before?.portal_key)
    await portal.database.write(async (transaction) => {
      await transaction.deleteFrom('signing_keys').execute()
      await transaction.insertInto('signing_keys').values(kept).execute()
    })
    const third = await portal.another()
    await changed.stop()
    const back = await servePortal(third.app)
    try {
      const link = await product.link()
      // The same address, as name services and routes may have it: here by the row.
      await product.database.write(async (transaction) => {
        const { setupOf } = await import('../../../infra/heartbeat/portal-link.ts')
        const setup = setupOf(back.url, customer.licenseKey)
        await transaction.updateTable('portal_link').set({ setup }).execute()
      })
      await product.set({ 'system.portalUrl': back.url })
      await add({ atMs: clock.nowMs(), bytes: 5 })
      await product.beat()
      expect((await product.look()).warnings[0]?.text).toContain('damaged, or not signed')
      expect((await product.link())?.entitlement).toBe(link?.entitlement)
      await product.giveAgain()
      await product.run()
      expect(await product.look()).toMatchObject({ state: 'reporting', warnings: [] })
      expect(await customers.bytesOfDays(customer.organizationId)).toBe(45)
    } finally {
      await back.stop()
    }
  } finally {
    await changed.stop().catch(() => undefined)
    await door.start()
  }
})

it('the entitlement is known without the portal, until it ends', async () => {
  const { product } = await makeSetUp()
  await product.run()
  await door.stop()
  const stateAfter = async (days: number) => {
    clock.move(days * DAY_MS)
    return (await product.look()).entitlement.state
  }
  expect(await stateAfter(0)).toBe('active')
  expect(await stateAfter(24)).toBe('ending')
  expect(await stateAfter(7)).toBe('ended')
  const link = await product.link()
  const forged = link?.entitlement.replace(/[A-Za-z](?=[^.]*\.)/, 'A') ?? ''
  await product.database.write(async (transaction) => {
    await transaction.updateTable('portal_link').set({ entitlement: forged }).execute()
  })
  expect((await product.look()).entitlement.state).toBe('refused')
  await door.start()
})

it('a deployment reads its own usage at the portal, and no other', async () => {
  const { customer, product } = await makeSetUp()
  const atMs = clock.nowMs()
  await add({ atMs, bytes: 40 }, { atMs: atMs - HOUR_MS, bytes: 2 })
  await product.run()
  const hour = Math.floor(atMs / HOUR_MS)
  const window = { fromHour: hour - 24, toHour: hour + 1 }
  const told = await product.portalUsage(window)
  expect(told).toMatchObject({ kind: 'told', hasOthers: false })
  expect(told.kind === 'told' && [...told.hours.entries()].sort()).toEqual([
    [hour - 1, { events: 1, bytes: 2 }],
    [hour, { events: 1, bytes: 40 }],
  ])
  // Another licence of the same organization: what was reported before is known, not asked.
  const [other] = await customers.deploymentsOf(customer.organizationId)
  const { licenseKey } = await customers.makeLicense(customer.organizationId)
  await product.set({ 'system.portalLicenseKey': licenseKey })
  await add({ atMs, bytes: 1 })
  await product.run()
  const both = await product.portalUsage(window)
  expect(both).toMatchObject({ kind: 'told', hasOthers: true })
  expect(both.kind === 'told' && both.hours.get(hour)).toEqual({ events: 2, bytes: 41 })
  const refused = await product.askPortal(`/usage?deploymentId=${other.id}`)
  expect(refused).toMatchObject({ kind: 'failed' })
  await door.stop()
  expect(await product.portalUsage(window)).toMatchObject({ kind: 'unknown' })
  await door.start()
})

it('rekey-secrets encrypts the token anew', async () => {
  const { product } = await makeSetUp()
  await product.run()
  const before = await product.link()
  const said = await product.rekey()
  expect(said).toContain('1 secret is encrypted with the new key')
  expect((await product.link())?.token).not.toBe(before?.token)
  await product.beat()
  expect(door.bodies.at(-1)?.as).toBe('dpl_')
})
