// What accepting an offer does to the licence of a customer, and what the offer says of it before.
import { beforeEach, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { makeWorld, type World } from '../../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../../support/pricing/small-book.ts'
import { type ManualClock, makeManualClock } from '../../../support/run/manual-clock.ts'
import { TEST_DATE_MS } from '../../../support/run/test-clock.ts'

const GB = 1_000_000_000
const HOUR_MS = 3_600_000
const GRANTS = { currency: 'EUR', credit: '500', volumeBytesPerDay: 10 * GB }
const perUnit = { model: { kind: 'per_unit', unitPrice: '10' } }
const BOOK = makeDocument(
  [makeItem('logs', [{ ...perUnit, per: 'month' }]), makeItem('training', [perUnit])],
  { terms: [{ id: 'half', name: '6 months', months: 6 }], grantLimits: [GRANTS] },
)
const LOGS = { lines: [{ item: 'logs', quantity: '7' }], currency: 'USD' }
const TRAINING = { lines: [{ item: 'training', quantity: '1' }], currency: 'USD' }
const planOf = (name: string, gb: number, features: readonly string[] = []) => ({
  ...{ name, volumeBytesPerDay: gb * GB, features },
})
/** The test date is no end of a month. */
function monthsFromStart(months: number): string {
  const time = new Date(TEST_DATE_MS)
  time.setUTCMonth(time.getUTCMonth() + months)
  return time.toISOString()
}
let clock: ManualClock
let portal: TestPortal
let world: World

beforeEach(async () => {
  clock = makeManualClock(TEST_DATE_MS)
  portal = await makeTestPortal({ clock })
  world = await makeWorld(portal)
  const made = await portal.ask({ path: '/price-books', as: portal.operator, body: BOOK })
  expect(made.status).toBe(201)
})

const bySales = (path: string, body?: object, method = 'POST') =>
  portal.ask({
    ...{ path, as: world.sessions.sales, method, body },
    headers: { 'x-organization-id': world.direct },
  })
async function draft(content: object, more: object) {
  const body = { title: 'Offer', content, validUntil: '2035-01-01T00:00:00Z', ...more }
  const made = await bySales('/offers', body)
  expect(made.status, made.text).toBe(201)
  return made.body
}
async function send(content: object, more: object) {
  const { id } = await draft(content, more)
  const sent = await bySales(`/offers/${id}/send`)
  expect(sent.status, sent.text).toBe(200)
  return sent.body
}
const accept = (id: string) =>
  portal.ask({ path: `/offers/${id}/accept`, as: world.sessions.admin, method: 'POST' })
async function accepted(content: object, more: object) {
  const { id } = await send(content, more)
  const done = await accept(id)
  expect(done.status, done.text).toBe(200)
  return done.body
}
const licenses = async () =>
  (await portal.ask({ path: '/licenses', as: world.sessions.admin })).body.data
/** A licence of six months from now on. */
async function buy() {
  const { licenseId } = await accepted(
    { ...LOGS, term: 'half' },
    { title: 'Main', plan: planOf('Team', 5, ['alerts']) },
  )
  return String(licenseId)
}

it('makes a licence as long as the offer is for, with a term or without', async () => {
  const offer = await send(LOGS, { title: 'One', plan: planOf('Team', 5) })
  expect(offer).toMatchObject({
    license: { kind: 'new' },
    effects: [
      'Makes a licence with the plan "Team" (5 GB a day) for 1 month, from the day of acceptance.',
    ],
  })
  expect((await accept(offer.id)).body.licenseId).toMatch(/^lcs_/)
  const [license] = await licenses()
  expect(license).toMatchObject({ name: 'One', validTo: monthsFromStart(1) })
})

it('makes none for a service, which leaves the licence and the balance as they are', async () => {
  const licenseId = await buy()
  const before = await licenses()
  const offer = await accepted(TRAINING, { license: { kind: 'none' }, credit: '40' })
  expect(offer).toMatchObject({
    ...{ licenseId: null, plan: null },
    effects: ['Changes no licence.', 'Gives credits of 40 USD for 12 months.'],
  })
  expect(await licenses()).toEqual(before)
  const status = await portal.ask({ path: '/license/status', as: world.sessions.admin })
  expect(status.body.plan.name).toBe('Team')
  expect(status.body.creditBalance.amount).toBe('40.00')
  expect(before.map(({ id }: { id: string }) => id)).toEqual([licenseId])
})

it('adds volume to a licence until that ends', async () => {
  const licenseId = await buy()
  clock.advance(HOUR_MS)
  const offer = await accepted(LOGS, {
    ...{ plan: planOf('More', 3, ['audit']), license: { kind: 'add', licenseId } },
  })
  expect(offer).toMatchObject({
    licenseId,
    effects: ['Adds the volume of "More" (3 GB a day) to the licence "Main", until that ends.'],
  })
  expect(await licenses()).toMatchObject([
    {
      ...{ id: licenseId, validTo: monthsFromStart(6) },
      plan: planOf('Team', 8, ['alerts', 'audit']),
    },
  ])
})

it('extends a licence from its end', async () => {
  const licenseId = await buy()
  const longer = { license: { kind: 'extend', licenseId } }
  const content = { ...LOGS, term: 'half' }
  expect(await accepted(content, longer)).toMatchObject({
    ...{ licenseId, effects: ['Extends the licence "Main" for 6 months; its plan stays.'] },
  })
  expect(await licenses()).toMatchObject([
    { plan: planOf('Team', 5, ['alerts']), validTo: monthsFromStart(12) },
  ])
})

it('replaces a licence, whose keys and deployments go on with the new one', async () => {
  const licenseId = await buy()
  const as = portal.operator
  const { body: made } = await portal.ask({
    path: `/licenses/${licenseId}/keys`,
    as,
    method: 'POST',
  })
  const beat = (token: string) =>
    portal.ask({
      ...{ path: '/deployments/heartbeat', as: token },
      body: {
        ...{ fingerprint: 'fingerprint-1', name: 'web', version: '1', layout: 'V7', meters: [] },
      },
    })
  const first = await beat(made.licenseKey)
  clock.advance(HOUR_MS)
  const offer = await accepted(
    { ...LOGS, term: 'half' },
    { title: 'Larger', plan: planOf('Large', 9), license: { kind: 'replace', licenseId } },
  )
  expect(offer.licenseId).not.toBe(licenseId)
  expect(offer.effects).toEqual([
    'Replaces the licence "Main" by one with the plan "Large" (9 GB a day) for 6 months, from the day of acceptance.',
    'Keys and deployments of the licence stay in use.',
  ])
  const [larger, main] = await licenses()
  expect(main).toMatchObject({ id: licenseId, state: 'expired', keys: [] })
  expect(larger).toMatchObject({ id: offer.licenseId, plan: planOf('Large', 9) })
  expect(larger.keys).toHaveLength(1)
  const later = await beat(first.body.deploymentToken)
  expect([later.status, later.body.license.plan]).toMatchObject([200, planOf('Large', 9)])
  expect((await beat(made.licenseKey)).status).toBe(201)
})

it('is not sent before it says what happens to the licence', async () => {
  const faults = async (content: object, more: object) => {
    const { id } = await draft(content, more)
    const { status, body } = await bySales(`/offers/${id}/send`)
    expect([status, body.code]).toEqual([422, 'offer_incomplete'])
    return body.errors.map(({ pointer }: { pointer: string }) => pointer)
  }
  const plan = planOf('Team', 5)
  expect(await faults(TRAINING, {})).toEqual(['/plan'])
  expect(await faults(TRAINING, { plan })).toEqual(['/content/term'])
  expect(await faults(TRAINING, { plan, license: { kind: 'none' } })).toEqual(['/plan'])
  const licenseId = await buy()
  expect(await faults(LOGS, { plan })).toEqual(['/license'])
  expect(await faults(LOGS, { plan, license: { kind: 'extend', licenseId } })).toEqual(['/plan'])
  expect(await faults(LOGS, { license: { kind: 'add', licenseId } })).toEqual(['/plan'])
})

it('is not accepted where the licences are no longer those of the offer', async () => {
  const plan = planOf('Team', 5)
  const one = await send(LOGS, { plan })
  const other = await send(LOGS, { plan })
  expect((await accept(one.id)).status).toBe(200)
  const late = await accept(other.id)
  expect([late.status, late.body.code]).toEqual([409, 'license_changed'])
  expect(await licenses()).toHaveLength(1)
})

it('names only licences of its customer', async () => {
  const licenseId = await buy()
  const foreign = await portal.ask({
    ...{ path: '/offers', as: world.sessions.sales, headers: { 'x-organization-id': world.sold } },
    body: {
      ...{ title: 'x', content: LOGS, validUntil: '2035-01-01T00:00:00Z' },
      license: { kind: 'extend', licenseId },
    },
  })
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
})

it('needs an operator where the plan afterwards is above the limits', async () => {
  const licenseId = await buy()
  const more = { plan: planOf('More', 6), license: { kind: 'add', licenseId } }
  expect(await draft(LOGS, more)).toMatchObject({ approval: null })
  expect(await draft(LOGS, { ...more, plan: planOf('More', 5) })).toMatchObject({
    approval: 'price_book',
  })
})
