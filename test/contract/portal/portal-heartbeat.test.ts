import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parsePublicKey, readDocument } from '../../../infra/signed-documents/signed-document.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeWorld, type World } from '../../support/portal/world.ts'
import { testClock } from '../../support/run/test-clock.ts'

const HOUR_MS = 3_600_000
const NOW_HOUR = Math.floor(testClock.nowMs() / HOUR_MS)
const PATH = '/deployments/heartbeat'

let portal: TestPortal
let world: World
let key: string

beforeAll(async () => {
  portal = await makeTestPortal()
  world = await makeWorld(portal)
  key = (await makeLicense(world.direct)).key
})

type Meter = { hour: string; source?: string; events: number; bytes: number }
type Change = { meters?: readonly Meter[]; [name: string]: unknown }

let licenses = 0
async function makeLicense(organizationId: string) {
  licenses += 1
  const plan = { name: 'Team', volumeBytesPerDay: 1000 }
  const body = { organizationId, name: `L${licenses}`, plan, validTo: '2035-01-01T00:00:00Z' }
  const made = await portal.ask({ path: '/licenses', as: portal.operator, body })
  expect(made.status).toBe(201)
  const { license, licenseKey } = made.body
  return { id: license.id, key: licenseKey, keyId: license.keys[0].id }
}

function beat(as: string | undefined, fingerprint: string, change: Change = {}, more = {}) {
  const nodes = [{ name: 'n1', role: 'work', version: '1.0' }]
  const body = { fingerprint, name: 'prod', version: '1.0', layout: 'X8', nodes, ...change }
  return portal.ask({ path: PATH, as, body, ...more })
}

const hourOf = (hour: number) => new Date(hour * HOUR_MS).toISOString()

describe('the first contact', () => {
  it('registers by the licence key, in the header or in the body', async () => {
    const first = await beat(key, 'first-contact-1')
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      deploymentId: expect.stringMatching(/^dep_/),
      deploymentToken: expect.stringMatching(/^dpl_[0-9A-Za-z]{49}$/),
      nextHeartbeatSeconds: 3600,
      license: { name: 'L1', state: 'active' },
      errors: [],
    })
    const later = await beat(first.body.deploymentToken, 'first-contact-1', { unknown: 1 })
    expect(later.status).toBe(200)
    expect(later.body.deploymentId).toBe(first.body.deploymentId)
    expect(later.body).not.toHaveProperty('deploymentToken')
    const other = await beat(undefined, 'first-contact-2', { licenseKey: key })
    expect(other.status).toBe(201)
    expect(other.body.deploymentId).not.toBe(first.body.deploymentId)
  })

  it('that is retried is the same deployment, and the old token ends', async () => {
    const first = await beat(key, 'retried-1')
    const second = await beat(key, 'retried-1')
    expect([second.status, second.body.deploymentId]).toEqual([201, first.body.deploymentId])
    expect((await beat(first.body.deploymentToken, 'retried-1')).status).toBe(401)
    expect((await beat(second.body.deploymentToken, 'retried-1')).status).toBe(200)
    const same = { headers: { 'idempotency-key': 'once' } }
    const third = await beat(key, 'retried-1', {}, same)
    expect((await beat(key, 'retried-1', {}, same)).text).toBe(third.text)
  })

  it('fifty times at one moment, over two processes, is one deployment', async () => {
    const other = await portal.another()
    const body = { fingerprint: 'fifty-times', name: 'f', version: '1', layout: 'V7' }
    const calls = Array.from({ length: 50 }, (_, at) =>
      (at % 2 === 0 ? portal : other).ask({ path: PATH, as: key, body }),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map((answer) => answer.body.deploymentId)).size).toBe(1)
    const tokens = answers.map((answer) => answer.body.deploymentToken)
    const states = await Promise.all(tokens.map((token) => beat(token, 'fifty-times')))
    expect(states.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('needs a key that is known, and of a licence in force', async () => {
    const refused = async (as: string | undefined, change = {}) => {
      const { status, body } = await beat(as, 'refused-1', change)
      return [status, body.code]
    }
    expect(await refused(undefined)).toEqual([401, 'unauthenticated'])
    expect(await refused(`${key.slice(0, -1)}~`)).toEqual([401, 'unauthenticated'])
    expect(await refused(undefined, { licenseKey: 'lic_x' })).toEqual([401, 'unauthenticated'])
    expect(await refused(world.sessions.admin)).toEqual([403, 'forbidden'])
    const revoked = await makeLicense(world.direct)
    const token = (await beat(revoked.key, 'lives-on-1')).body.deploymentToken
    const path = `/licenses/${revoked.id}`
    const as = portal.operator
    await portal.ask({ method: 'DELETE', path: `${path}/keys/${revoked.keyId}`, as })
    expect(await refused(revoked.key)).toEqual([403, 'license_revoked'])
    expect(await refused(undefined, { licenseKey: revoked.key })).toEqual([403, 'license_revoked'])
    const another = (await portal.ask({ method: 'POST', path: `${path}/keys`, as })).body.licenseKey
    await portal.ask({ method: 'PATCH', path, as, body: { state: 'revoked' } })
    expect(await refused(another)).toEqual([403, 'license_revoked'])
    // What is registered goes on reporting: a state of the licence stops nothing.
    const later = await beat(token, 'lives-on-1')
    expect([later.status, later.body.license.state]).toEqual([200, 'revoked'])
  })

  it('gives an entitlement that can be checked without the portal', async () => {
    const { body } = await beat(key, 'entitled-1')
    const told = await portal.ask({ path: '/license/entitlement-key' })
    const trusted = parsePublicKey(told.body.publicKey)
    if (trusted === undefined) throw new Error('no key')
    const read = readDocument(body.entitlement, trusted)
    if (read.kind === 'refused') throw new Error(read.reason)
    expect(read.content).toMatchObject({
      ...{ type: 'entitlement', deploymentId: body.deploymentId, fingerprint: 'entitled-1' },
      license: body.license,
    })
    const lasts = Date.parse(String(read.content.end)) - Date.parse(String(read.content.begin))
    expect(lasts).toBe(30 * 24 * HOUR_MS)
    const other = await (await portal.another()).ask({ path: '/license/entitlement-key' })
    expect(other.body).toEqual(told.body)
    const rows = await portal.database.read.selectFrom('signing_keys').selectAll().execute()
    expect(rows.map((row) => row.sealed).join()).not.toContain('PRIVATE KEY')
  })
})

describe('meters', () => {
  const usage = async (as: string, query: string) => {
    const rows = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { status, body } = await portal.ask({ path: `/usage?${query}${more}`, as })
      expect(status).toBe(200)
      rows.push(...body.data)
      cursor = body.nextCursor
    }
    return rows
  }

  it('in any order and however often give what a naive model gives', async () => {
    const as = world.sessions.soldAdmin
    const { key: own } = await makeLicense(world.sold)
    const meter = fc.record({
      at: fc.nat(60),
      source: fc.constantFrom('', 'a', 'b'),
      events: fc.nat(1000),
      bytes: fc.nat(9_000_000_000),
    })
    const reports = fc.array(
      fc.record({ who: fc.nat(2), meters: fc.array(meter, { maxLength: 30 }) }),
      { minLength: 1, maxLength: 12 },
    )
    const tokens = await Promise.all(
      [0, 1, 2].map(async (who) => (await beat(own, `property-${who}`)).body.deploymentToken),
    )
    const model = new Map<string, { events: number; bytes: number }>()
    await fc.assert(
      fc.asyncProperty(reports, fc.boolean(), async (given, isTwice) => {
        for (const { who, meters } of given) {
          const sent = meters.map(({ at, ...rest }) => ({ hour: hourOf(NOW_HOUR - at), ...rest }))
          const calls = isTwice ? [1, 2] : [1]
          // Repeats at one moment are in one write.
          const answers = await Promise.all(
            calls.map(() => beat(tokens[who], `property-${who}`, { meters: sent })),
          )
          expect(answers.every(({ status }) => status === 200)).toBe(true)
          for (const { hour, source, events, bytes } of sent)
            model.set(`${who} ${hour} ${source}`, { events, bytes })
        }
        const rows = await portal.database.read
          .selectFrom('usage_days')
          .selectAll()
          .where('organization_id', '=', world.sold)
          .execute()
        const days = new Map<number, number>()
        for (const [name, { bytes }] of model) {
          const day = Math.floor(Date.parse(name.split(' ')[1] ?? '') / (24 * HOUR_MS))
          days.set(day, (days.get(day) ?? 0) + bytes)
        }
        expect(new Map(rows.map((row) => [Number(row.day), Number(row.bytes)]))).toEqual(days)
      }),
      { numRuns: 15 },
    )
    const hours = await usage(as, 'granularity=hour&limit=7')
    expect(hours.length).toBe(model.size)
    const total = (list: Iterable<{ bytes: number }>) => [...list].reduce((a, b) => a + b.bytes, 0)
    expect(total(hours)).toBe(total(model.values()))
    const byDay = await usage(as, 'granularity=day&limit=2')
    expect(total(byDay)).toBe(total(model.values()))
    const headers = { accept: 'application/x-ndjson' }
    const lines = await portal.ask({ path: '/usage?granularity=hour', as, headers })
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(hours)
    expect(await usage(world.sessions.viewer, 'granularity=hour&source=a')).toEqual([])
  })

  it('of hours that cannot be are told; the others are taken', async () => {
    const { deploymentToken, deploymentId } = (await beat(key, 'errors-1')).body
    const one = { events: 1, bytes: 10 }
    const hours = [NOW_HOUR + 3, NOW_HOUR, NOW_HOUR - 401 * 24, NOW_HOUR - 1.5]
    const meters = hours.map((hour) => ({ hour: hourOf(hour), ...one }))
    const { status, body } = await beat(deploymentToken, 'errors-1', { meters })
    expect(status).toBe(200)
    expect(
      body.errors.map(({ index, code }: { index: number; code: string }) => [index, code]),
    ).toEqual([
      [0, 'hour_ahead'],
      [2, 'hour_too_old'],
      [3, 'hour_not_whole'],
    ])
    const query = `granularity=hour&deploymentId=${deploymentId}`
    const rows = await usage(world.sessions.viewer, query)
    expect(rows).toEqual([{ time: hourOf(NOW_HOUR), deploymentId, source: '', ...one }])
    const many = Array.from({ length: 2001 }, () => ({ hour: hourOf(NOW_HOUR), ...one }))
    expect((await beat(deploymentToken, 'errors-1', { meters: many })).status).toBe(400)
    for (const bad of [{ bytes: -1 }, { bytes: 1.5 }, { hour: 'now' }, { source: 'a\u0000' }]) {
      const wrong = [{ hour: hourOf(NOW_HOUR), ...one, ...bad }]
      expect((await beat(deploymentToken, 'errors-1', { meters: wrong })).status).toBe(400)
    }
    const half = [{ hour: hourOf(NOW_HOUR), ...one, source: 'a\ud800' }]
    expect((await beat(deploymentToken, 'errors-1', { meters: half })).status).toBe(200)
  })
})

describe('deployments', () => {
  const read = async (id: string) =>
    (await portal.ask({ path: `/deployments/${id}`, as: world.sessions.viewer })).body

  it('are seen by their organization, renamed, retired, and come back', async () => {
    const { deploymentId, deploymentToken } = (await beat(key, 'life-span-1')).body
    const path = `/deployments/${deploymentId}`
    expect(await read(deploymentId)).toMatchObject({
      name: 'prod',
      state: 'registered',
      alerts: [],
    })
    expect((await portal.ask({ path, as: world.sessions.soldAdmin })).status).toBe(404)
    const change = (as: string, body: object) => portal.ask({ method: 'PATCH', path, as, body })
    expect((await change(world.sessions.viewer, { name: 'x' })).status).toBe(403)
    expect((await change(world.sessions.admin, { name: 'Berlin' })).body.name).toBe('Berlin')
    await beat(deploymentToken, 'life-span-1', { name: 'other' })
    expect((await read(deploymentId)).name).toBe('Berlin')
    expect((await change(world.sessions.admin, { state: 'retired' })).body.state).toBe('retired')
    expect((await beat(deploymentToken, 'life-span-1')).status).toBe(401)
    const back = await beat(key, 'life-span-1')
    expect(back.body.deploymentId).toBe(deploymentId)
    expect((await read(deploymentId)).state).toBe('registered')
    const as = world.sessions.admin
    const rotated = await portal.ask({ method: 'POST', path: `${path}/token`, as })
    expect(rotated.status).toBe(201)
    expect((await beat(back.body.deploymentToken, 'life-span-1')).status).toBe(401)
    expect((await beat(rotated.body.deploymentToken, 'life-span-1')).status).toBe(200)
    await portal.database.write((t) =>
      t
        .updateTable('deployments')
        .set({ last_seen_ms: testClock.nowMs() - 25 * HOUR_MS })
        .where('id', '=', deploymentId)
        .execute(),
    )
    expect((await read(deploymentId)).state).toBe('silent')
  })

  it('of one fingerprint at two places raise an alert, and report on', async () => {
    const codes = async (id: string) =>
      (await read(id)).alerts.map(({ code }: { code: string }) => code)
    const at = (address: string) => ({ address })
    const { deploymentId: id, deploymentToken: token } = (
      await beat(key, 'copied-inst-1', {}, at('192.0.2.10'))
    ).body
    await beat(token, 'copied-inst-1', {}, at('192.0.2.11'))
    expect(await codes(id)).toEqual([])
    expect((await beat(token, 'copied-inst-1', {}, at('192.0.2.10'))).status).toBe(200)
    expect(await codes(id)).toEqual(['fingerprint_conflict'])
    const second = (await beat(key, 'copied-inst-2', {}, at('192.0.2.20'))).body.deploymentId
    await beat(key, 'copied-inst-2', {}, at('192.0.2.21'))
    expect(await codes(second)).toEqual(['fingerprint_conflict'])
    const { key: foreign } = await makeLicense(world.sold)
    const third = (await beat(key, 'copied-inst-3')).body.deploymentId
    expect((await beat(foreign, 'copied-inst-3')).status).toBe(201)
    expect(await codes(third)).toEqual(['fingerprint_conflict'])
    const told = JSON.stringify(await read(third))
    expect(told).not.toContain(world.sold)
  })
})
