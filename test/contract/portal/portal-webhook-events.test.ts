import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_KINDS, webhookBodyOf } from '../../../schemas/portal/webhook-events.ts'
import { type HookReceiver, startHookReceiver } from '../../support/portal/hook-receiver.ts'
import {
  CHORES_EVERY_MS,
  LOOK_EVERY_MS,
  letPass,
  makePortalClock,
} from '../../support/portal/portal-clock.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeWorld, PASSWORD, type World } from '../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../support/pricing/small-book.ts'

const GIB = 2 ** 30
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const START = Date.parse('2026-09-25T06:00:00Z')
const clock = makePortalClock(START)
const KINDS = EVENT_KINDS.filter((kind) => kind !== 'webhook.test')
const PLAN = { name: 'Team', volumeBytesPerDay: 9 * GIB, creditPricePerGib: '0.5', features: [] }
let portal: TestPortal
let world: World
let receiver: HookReceiver
let admin: string
let licenseKey: string
let replacing: object
let deployment: { id: string; token: string }

beforeAll(async () => {
  receiver = await startHookReceiver()
  portal = await makeTestPortal({ clock, webhooks: { targets: 'any' } })
  world = await makeWorld(portal)
  admin = world.sessions.admin
  const book = makeDocument([
    makeItem('logs', [{ model: { kind: 'per_unit', unitPrice: '10' }, per: 'month' }]),
  ])
  expect((await ask('/price-books', book)).status).toBe(201)
  const made = await ask('/licenses', {
    ...{ organizationId: world.direct, name: 'Main', validTo: '2026-12-24T00:00:00Z', plan: PLAN },
  })
  licenseKey = made.body.licenseKey
  replacing = { kind: 'replace', licenseId: made.body.license.id }
  const hook = { url: receiver.url, events: KINDS }
  expect((await ask('/webhooks', hook, { as: admin })).status).toBe(201)
  // What another organization learns is not ours.
  const other = await portal.ask({ path: '/webhooks', as: world.sessions.soldAdmin, body: hook })
  foreign = other.body.webhook.id
})
let foreign: string
afterAll(() => receiver.close())

const ask = (path: string, body?: object, more: object = {}) =>
  portal.ask({
    ...{ path, as: portal.operator, headers: { 'x-organization-id': world.direct } },
    ...(body === undefined ? {} : { body }),
    ...more,
  })
const byAdmin = async (path: string) => {
  const asked = { path, method: 'POST' }
  const answered = await portal.ask({ ...asked, as: admin })
  if (answered.status !== 401) return answered
  const email = `customer_admin@${world.direct.slice(-8)}.test`
  const signed = await portal.ask({ path: '/session', body: { email, password: PASSWORD } })
  admin = signed.body.token
  return await portal.ask({ ...asked, as: admin })
}
const beat = (as: string, meters: readonly object[] = []) =>
  portal.ask({
    ...{ path: '/deployments/heartbeat', as },
    body: { fingerprint: 'fingerprint-1', name: 'web', version: '9.1', layout: 'V7', meters },
  })
const hours = (from: number, count: number, bytes: number) =>
  Array.from({ length: count }, (_, at) => ({
    hour: new Date(from + at * HOUR_MS).toISOString(),
    ...{ events: 1, bytes },
  }))

/** All of this kind that came, each with the shape that is documented. */
function came(kind: (typeof KINDS)[number]) {
  return receiver.got
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type === kind)
    .map((body) => webhookBodyOf(kind).parse(body))
}
const pass = (ms: number) => letPass(portal, clock, ms)
const expectCame = (kind: (typeof KINDS)[number], wanted: readonly object[]) =>
  expect(came(kind).map(({ data }) => data)).toMatchObject(wanted)

// One story: each test follows from those before it.
describe('what webhooks are told', { shuffle: false }, () => {
  it('tells the first contact of a deployment, and no later one', async () => {
    const { body: first } = await beat(licenseKey)
    deployment = { id: first.deploymentId, token: first.deploymentToken }
    // A second first contact is the same deployment.
    const { body: again } = await beat(licenseKey)
    deployment = { ...deployment, token: again.deploymentToken }
    expect(again.deploymentId).toBe(deployment.id)
    await pass(LOOK_EVERY_MS)
    expectCame('deployment.registered', [
      { organizationId: world.direct, deploymentId: deployment.id, name: 'web', version: '9.1' },
    ])
  })

  it('tells each step of an offer', async () => {
    const content = { lines: [{ item: 'logs', quantity: '7' }], currency: 'USD' }
    const draft = async (validUntil: string) => {
      const body = {
        title: 'Logs',
        content,
        validUntil,
        plan: PLAN,
        license: replacing,
        credit: '40',
      }
      const made = await ask('/offers', body)
      expect(made.status, made.text).toBe(201)
      return String(made.body.id)
    }
    const act = (id: string, verb: string) =>
      ask(`/offers/${id}/${verb}`, undefined, { method: 'POST' })
    const soon = new Date(clock.nowMs() + HOUR_MS).toISOString()
    const ids = [
      await draft(soon),
      await draft(soon),
      await draft(soon),
      await draft(soon),
    ] as const
    for (const id of ids.slice(0, 3)) {
      clock.advance(10)
      expect((await act(id, 'send')).status).toBe(200)
    }
    const [accepted, rejected, forgotten] = ids
    expect((await byAdmin(`/offers/${accepted}/accept`)).status).toBe(200)
    expect((await byAdmin(`/offers/${accepted}/accept`)).status).toBe(200)
    expect((await byAdmin(`/offers/${rejected}/reject`)).status).toBe(200)
    const sentIds = () =>
      came('offer.sent').map(({ data }) => ('offerId' in data ? data.offerId : ''))
    await pass(LOOK_EVERY_MS)
    expect(sentIds().sort()).toEqual([accepted, rejected, forgotten].sort())
    expectCame('offer.accepted', [{ offerId: accepted, state: 'accepted' }])
    expectCame('offer.rejected', [
      { offerId: rejected, state: 'rejected', licenseId: null, rejectionReason: null },
    ])
    expectCame('credits.granted', [{ amount: '40.00', source: `offer ${accepted}` }])
    await pass(CHORES_EVERY_MS)
    expectCame('offer.expired', [])
    await pass(HOUR_MS)
    expectCame('offer.expired', [{ offerId: forgotten, state: 'expired' }])
    const [{ data: told } = { data: {} }] = came('offer.accepted')
    const licenseId = 'licenseId' in told ? told.licenseId : null
    const { body: license } = await ask(`/licenses/${licenseId}`)
    expect(license.name).toBe('Logs')
    // The tests below are of this one, the newest in force.
    const shorter = { method: 'PATCH', body: { validTo: '2026-12-25T00:00:00Z' } }
    expect((await ask(`/licenses/${licenseId}`, undefined, shorter)).status).toBe(200)
  })

  it('tells what each day takes of the credits, once', async () => {
    const day = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS
    const date = new Date(day).toISOString().slice(0, 10)
    expect((await beat(deployment.token, hours(day, 4, GIB))).body.errors).toEqual([])
    // The last reports of a day come after its end.
    const settlesAtMs = day + DAY_MS + 3 * HOUR_MS
    await pass(settlesAtMs - HOUR_MS - clock.nowMs())
    await beat(deployment.token)
    await pass(settlesAtMs - 1 - clock.nowMs())
    expectCame('credits.burned', [])
    await pass(CHORES_EVERY_MS)
    expectCame('credits.burned', [{ date, amount: '2.00', currency: 'EUR', balance: '38.00' }])
    // A correction afterwards is in the movements, not told again.
    await beat(deployment.token, hours(day, 4, 2 * GIB))
    for (let looks = 0; looks < 3; looks += 1) await pass(CHORES_EVERY_MS)
    expect(came('credits.burned')).toHaveLength(1)
  })

  it('tells thresholds, credits that end, and silence when they begin', async () => {
    const day = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS
    const allowed = 9 * GIB * 30
    await beat(deployment.token, hours(day, 1, 0.85 * allowed))
    const license = { organizationId: world.direct, deploymentId: null }
    await pass(CHORES_EVERY_MS)
    expectCame('license.threshold', [{ ...license, code: 'plan_near_limit' }])
    expectCame('credits.exhausted', [{ ...license, code: 'credits_exhausted' }])
    await beat(deployment.token, hours(day, 1, 1.1 * allowed))
    const both = [{ code: 'plan_near_limit' }, { code: 'plan_exceeded', severity: 'critical' }]
    await pass(CHORES_EVERY_MS)
    expectCame('license.threshold', both)
    expectCame('deployment.silent', [])
    await pass(DAY_MS)
    expectCame('deployment.silent', [{ deploymentId: deployment.id, code: 'deployment_silent' }])
  })

  it('tells the end of a licence', async () => {
    await pass(Date.parse('2026-12-01T00:00:00Z') - clock.nowMs())
    expectCame('license.expiring', [{ code: 'license_expiring' }])
    await pass(Date.parse('2026-12-25T00:00:00Z') - clock.nowMs())
    expectCame('license.expired', [{ code: 'license_expired' }])
  })

  it('tells each event once, and nobody else', async () => {
    const told = receiver.got.map(({ body }) => JSON.parse(body))
    const whats = told.map(({ type, data }) => JSON.stringify([type, data]))
    expect(new Set(whats).size).toBe(whats.length)
    const of = told.map(({ data }) => data.organizationId)
    expect(new Set(of)).toEqual(new Set([world.direct]))
    const foreigns = portal.database.read.selectFrom('webhook_messages').select('event_id')
    expect(await foreigns.where('webhook_id', '=', foreign).execute()).toEqual([])
  })
})

describe('a cause that fails', () => {
  it('leaves no event', async () => {
    const events = async () =>
      (await portal.database.read.selectFrom('webhook_events').select('id').execute()).length
    const before = await events()
    const refused = await ask('/credits/grants', { amount: '5', source: 'x', currency: 'USD' })
    expect(refused.status).toBe(422)
    expect((await byAdmin('/offers/ofr_00000000000000000000000000/accept')).status).toBe(404)
    expect(await events()).toBe(before)
  })
})
