// What is learned or tried bit by bit: from many addresses of one network, code by code, and from
// what cursors say.
import { beforeAll, expect, it } from 'vitest'
import { readBase32, totpCode } from '../../../../infra/access/totp.ts'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { makeWorld, PASSWORD, type World } from '../../../support/portal/world.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

const clock = makeManualClock()
const MINUTE_MS = 60_000
const FAR = '2035-01-01T00:00:00Z'
let portal: TestPortal
let world: World

beforeAll(async () => {
  portal = await makeTestPortal({ clock })
  world = await makeWorld(portal)
})

it('the addresses of one network are one caller without a credential', async () => {
  const ask = (address: string) => portal.ask({ path: '/license/entitlement-key', address })
  for (let at = 0; at < 60; at += 1)
    expect((await ask(`2001:db8:1:2:${at}::1`)).status, `${at}`).toBe(200)
  expect((await ask('2001:db8:1:2:ffff::9')).status).toBe(429)
  expect((await ask('2001:db8:1:3::1')).status).toBe(200)
})

it('codes of a second factor are guessed at ten times a minute, from wherever', async () => {
  const as = world.sessions.viewer
  const email = `customer_viewer@${world.direct.slice(-8)}.test`
  const path = '/session/second-factor'
  const { body: begun } = await portal.ask({ path, as, body: { password: PASSWORD } })
  const codeNow = () => totpCode(readBase32(begun.secret), Math.floor(clock.nowMs() / 30_000), 6)
  const confirmed = await portal.ask({ path, as, method: 'PUT', body: { code: codeNow() } })
  expect(confirmed.status, confirmed.text).toBe(200)
  clock.advance(MINUTE_MS)
  let from = 0
  const signIn = async (code: string, password = PASSWORD) => {
    from += 1
    const body = { email, password, code }
    return await portal.ask({ path: '/session', body, address: `203.0.113.${from}` })
  }
  const right = codeNow()
  const wrong = String((Number(right) + 500_000) % 1_000_000).padStart(6, '0')
  const told: string[] = []
  for (let at = 0; at < 11; at += 1) {
    const { status, body } = await signIn(wrong)
    told.push(`${status} ${body.code}`)
  }
  // Right, and no more tried than a wrong password would be.
  const late = await signIn(right)
  told.push(`${late.status} ${late.body.code}`)
  const other = await signIn(wrong, 'wrong password')
  told.push(`${other.status} ${other.body.code}`)
  expect(new Set(told)).toEqual(new Set(['401 sign_in_failed']))
  clock.advance(MINUTE_MS)
  expect((await signIn(codeNow())).status).toBe(201)
})

it('guesses of a name from other networks never shut its person out', async () => {
  const email = `customer_admin@${world.direct.slice(-8)}.test`
  const signIn = async (address: string, password: string) => {
    const body = { email, password }
    return (await portal.ask({ path: '/session', body, address })).status
  }
  const guesses = Array.from({ length: 70 }, (_, at) => signIn(`198.51.100.${at % 7}`, 'a guess'))
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401, 429]))
  expect(await signIn('203.0.113.200', PASSWORD)).toBe(201)
  expect(await signIn('203.0.113.200', PASSWORD)).toBe(201)
  // A network that failed is counted with the others, in another process too, for 15 minutes.
  expect(await signIn('203.0.113.200', 'a guess')).toBe(401)
  expect(await signIn('203.0.113.200', PASSWORD)).toBe(429)
  const second = await portal.another()
  const body = { email, password: PASSWORD }
  const asked = { path: '/session', body, address: '203.0.113.200' }
  expect((await second.ask(asked)).status).toBe(429)
  expect(await signIn('203.0.113.201', PASSWORD)).toBe(201)
  clock.advance(MINUTE_MS)
  expect(await signIn('203.0.113.200', PASSWORD)).toBe(201)
}, 120_000)

it('a name that is guessed from many networks is slowed for those that failed before', async () => {
  const email = `channel@${world.channel.slice(-8)}.test`
  const statusOf = async (at: number) => {
    const body = { email, password: 'a guess' }
    return (await portal.ask({ path: '/session', body, address: `10.7.${at}.1` })).status
  }
  for (const minute of [0, 1]) {
    const statuses = await Promise.all(Array.from({ length: 62 }, (_, at) => statusOf(at)))
    // Fresh networks are let through once; a minute later all of them have failed before.
    expect(
      statuses.filter((it) => it === 429),
      `minute ${minute}`,
    ).toHaveLength(minute * 2)
    clock.advance(MINUTE_MS)
  }
}, 120_000)

it('an address with half a character is as unknown as any other', async () => {
  const body = '{"email":"\\ud800@x.test","password":"wrong password"}'
  const told = await portal.ask({ path: '/session', body, address: '192.0.2.77' })
  expect([401, 400]).toContain(told.status)
})

it('a cursor tells of no deployments but those that its list shows', async () => {
  const operator = portal.operator
  const register = async (organizationId: string, count: number) => {
    const plan = { name: 'P', volumeBytesPerDay: 1 }
    const license = { organizationId, name: 'L', plan, validTo: FAR }
    const { body } = await portal.ask({ path: '/licenses', as: operator, body: license })
    const hour = new Date(Math.floor(clock.nowMs() / 3_600_000) * 3_600_000).toISOString()
    for (let at = 0; at < count; at += 1) {
      const about = { name: 'd', version: '1', layout: 'X8', fingerprint: `of-${body.license.id}` }
      const report = { ...about, fingerprint: `${about.fingerprint}-${at}` }
      const meters = [{ hour, events: 1, bytes: 1 }]
      const path = '/deployments/heartbeat'
      const made = await portal.ask({ path, as: body.licenseKey, body: { ...report, meters } })
      expect(made.status, made.text).toBe(201)
    }
  }
  await register(world.sold, 2)
  await register(world.direct, 3)
  for (const path of ['/deployments', '/usage']) {
    const as = world.sessions.admin
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`
      const { body } = await portal.ask({ path: `${path}?limit=1${more}`, as })
      seen.push(...body.data.map((row: Record<string, string>) => row.deploymentId ?? row.id))
      cursor = body.nextCursor
      const [key = ''] = (cursor ?? '').split('.')
      const said = Buffer.from(key, 'base64url').toString()
      if (cursor !== null) expect(said, path).toContain(seen.at(-1))
      // The five of both are numbered from 1.
      expect(said, path).not.toMatch(/^\[?[1-5]\b/)
    } while (cursor !== null && seen.length < 9)
    expect(new Set(seen).size, path).toBe(3)
    expect(seen, path).toHaveLength(3)
  }
})
