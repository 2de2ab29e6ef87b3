import { beforeAll, describe, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeCustomer, makeWorld, PASSWORD, type World } from '../../support/portal/world.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'

let portal: TestPortal
let world: World
/** Its clock stands: a minute is one. */
let still: TestPortal
const YEAR = { validTo: '2035-01-01T00:00:00Z' }
const PLAN = { name: 'Team', volumeBytesPerDay: 5_000_000_000 }

beforeAll(async () => {
  portal = await makeTestPortal()
  world = await makeWorld(portal)
  still = await makeTestPortal({ clock: makeManualClock() })
  await makeCustomer(still)
})

const codeOf = async (asked: Parameters<TestPortal['ask']>[0]) => {
  const { status, body } = await portal.ask(asked)
  return [status, body.code]
}

describe('credentials', () => {
  it('are needed, and known, in force, and never in an address', async () => {
    const path = '/organizations'
    expect(await codeOf({ path })).toEqual([401, 'unauthenticated'])
    const made = portal.operator
    const typo = made.slice(0, -1) + (made.endsWith('a') ? 'b' : 'a')
    for (const as of [typo, 'opr_short', 'nothing', `dpl${made.slice(3)}`])
      expect(await codeOf({ path, as })).toEqual([401, 'unauthenticated'])
    const { status, body } = await portal.ask({ path: `/organizations?token=${made}` })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect((await portal.ask({ path, as: made })).status).toBe(200)
    const basic = { authorization: `Basic ${btoa('a:b')}` }
    expect(await codeOf({ path, headers: basic })).toEqual([401, 'unauthenticated'])
  })

  it('act for their own organization; another is as one that is not there', async () => {
    const missing = `org_${'0'.repeat(26)}`
    const { viewer, reseller, sales } = world.sessions
    const seen = async (as: string, id: string) => {
      const headers = { 'x-organization-id': id }
      const { status, body } = await portal.ask({ path: '/session', as, headers })
      return status === 200 ? body.role : `${status} ${body.code}`
    }
    expect(await seen(viewer, world.direct)).toBe('customer_viewer')
    expect(await seen(viewer, world.sold)).toBe('404 not_found')
    expect(await seen(viewer, missing)).toBe('404 not_found')
    expect(await seen(reseller, world.sold)).toBe('channel')
    expect(await seen(reseller, world.direct)).toBe('404 not_found')
    expect(await seen(sales, world.direct)).toBe('sales')
    const list = async (as: string) => {
      const { body } = await portal.ask({ path: '/organizations?limit=200', as })
      return body.data.map(({ id }: { id: string }) => id).sort()
    }
    expect(await list(viewer)).toEqual([world.direct])
    expect(await list(reseller)).toEqual([world.channel, world.sold].sort())
    expect(await list(sales)).toEqual(await list(portal.operator))
  })

  it('may only do what their role may', async () => {
    const body = { name: 'Somebody else' }
    const { viewer, admin, sales, staff } = world.sessions
    for (const as of [viewer, admin, sales])
      expect(await codeOf({ path: '/organizations', as, body })).toEqual([403, 'forbidden'])
    expect((await portal.ask({ path: '/organizations', as: staff, body })).status).toBe(201)
    const person = { email: 'new@direct.test', name: 'New', role: 'operator', password: PASSWORD }
    // Nobody makes a person of a role that the organization does not have.
    expect(await codeOf({ path: '/people', as: admin, body: person })).toEqual([
      400,
      'invalid_request',
    ])
    expect(await codeOf({ path: '/people', as: viewer, body: person })).toEqual([403, 'forbidden'])
  })
})

describe('sessions', () => {
  it('begin with the right password alone, and say no more of a wrong one', async () => {
    const email = `customer_admin@${world.direct.slice(-8)}.test`
    const tries = [
      { email, password: 'wrong' },
      { email: 'nobody@nowhere.test', password: PASSWORD },
    ]
    const texts = []
    for (const [at, body] of tries.entries()) {
      const { status, body: told } = await portal.ask({
        ...{ path: '/session', body, address: `203.0.113.${at}` },
      })
      texts.push([status, told.code, told.message])
    }
    expect(texts[0]).toEqual([
      401,
      'sign_in_failed',
      'e-mail address, password or code of the second factor is wrong',
    ])
    expect(texts[1]).toEqual(texts[0])
  })

  it('in a cookie write only with the token, and end', async () => {
    const email = `customer_admin@${world.direct.slice(-8)}.test`
    const begun = await portal.ask({
      path: '/session',
      body: { email, password: PASSWORD, cookie: true },
      address: '203.0.113.10',
    })
    expect(begun.status).toBe(201)
    expect(begun.body.token).toBeNull()
    const set = begun.headers.get('set-cookie') ?? ''
    expect(set).toMatch(/^logeye_portal_session=ses_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=/)
    const cookie = set.split(';')[0] ?? ''
    const read = await portal.ask({ path: '/session', headers: { cookie } })
    expect([read.status, read.body.role]).toEqual([200, 'customer_admin'])
    const end = { method: 'DELETE', path: '/session' }
    expect(await codeOf({ ...end, headers: { cookie } })).toEqual([403, 'csrf'])
    const headers = { cookie, 'x-csrf-token': begun.body.csrfToken }
    expect((await portal.ask({ ...end, headers })).status).toBe(204)
    const after = await (await portal.another()).ask({ path: '/session', headers: { cookie } })
    expect(after.status).toBe(401)
    // The browser goes on sending the cookie of the session that has ended.
    const again = await portal.ask({
      ...{ path: '/session', headers: { cookie }, address: '203.0.113.11' },
      body: { email, password: PASSWORD, cookie: true },
    })
    expect(again.status).toBe(201)
  })

  it('are guessed at ten times a minute, over two processes and a start anew', async () => {
    const other = await still.another()
    const body = { email: 'admin@customer.test', password: 'guess' }
    const statuses = []
    for (let at = 0; at < 12; at += 1) {
      const asked = { path: '/session', body, address: '203.0.113.99' }
      statuses.push((await (at % 2 === 0 ? still : other).ask(asked)).status)
    }
    expect(statuses.slice(0, 10).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(10)).toEqual([429, 429])
    const anew = await still.another()
    const right = { ...body, password: PASSWORD }
    const asked = { path: '/session', body: right, address: '203.0.113.99' }
    expect((await anew.ask(asked)).status).toBe(429)
  })

  it('are not used up by what a page asks for after its session has ended', async () => {
    const address = '203.0.113.98'
    for (let at = 0; at < 12; at += 1)
      expect((await still.ask({ path: '/session', address })).status).toBe(401)
    const body = { email: 'nobody@direct.test', password: 'guess' }
    expect((await still.ask({ path: '/session', body, address })).status).toBe(401)
  })
})

describe('licences', () => {
  it('are made by operators with a key that is shown once, and seen by their organization', async () => {
    const body = { organizationId: world.direct, name: 'Main', plan: PLAN, ...YEAR }
    const made = await portal.ask({ path: '/licenses', as: portal.operator, body })
    expect(made.status).toBe(201)
    expect(made.body.licenseKey).toMatch(/^lic_[0-9A-Za-z]{49}$/)
    const { id } = made.body.license
    const read = await portal.ask({ path: `/licenses/${id}`, as: world.sessions.viewer })
    expect(read.body).toMatchObject({ state: 'active', plan: { ...PLAN, features: [] } })
    expect(read.text).not.toContain(made.body.licenseKey)
    const foreign = { path: `/licenses/${id}`, as: world.sessions.soldAdmin }
    expect(await codeOf(foreign)).toEqual([404, 'not_found'])
    const change = (changed: object) =>
      portal.ask({ method: 'PATCH', path: `/licenses/${id}`, as: portal.operator, body: changed })
    expect((await change({ state: 'suspended' })).body.state).toBe('suspended')
    expect((await change({ state: 'revoked' })).body.state).toBe('revoked')
    const back = await change({ state: 'active' })
    expect([back.status, back.body.code]).toEqual([403, 'license_revoked'])
  })
})
