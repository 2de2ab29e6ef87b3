// Every call of the portal with every kind of credential. What is expected is written here by hand
// (specification, portal table; decisions 9.5 and 9.12), not taken from the code.
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSecret } from '../../../../portal/access/secrets.ts'
import { SCOPES } from '../../../../schemas/portal/scopes.ts'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { makeWorld, PASSWORD, type World } from '../../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../../support/pricing/small-book.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

/** V viewer, A administrator of a customer, C channel, S sales, O staff with the role operator. */
const ROLES = { V: 'viewer', A: 'admin', C: 'reseller', S: 'sales', O: 'staff' } as const
const READ = 'V A C S O token'
const STAFF = 'O token'
const EXPECTED: Readonly<Record<string, string>> = {
  // Specification, portal table.
  'POST /deployments/heartbeat': 'nobody license deployment',
  'GET /license/status': `${READ} deployment license:read`,
  'GET /pricing/catalog': `nobody ${READ} catalog:read`,
  'POST /pricing/quote': `nobody ${READ} quote:write`,
  'POST /offers/{offerId}/attachments': 'A C S O token offers:write',
  'GET /offers/{offerId}/attachments': `${READ} offers:read`,
  'GET /offers/{offerId}/attachments/{attachmentId}': `${READ} offers:read`,
  // Decisions 9.5 to 9.12.
  'DELETE /offers/{offerId}/attachments/{attachmentId}': 'A C S O token offers:write',
  'POST /session': 'nobody V A C S O',
  'GET /session': 'V A C S O',
  'PATCH /session': 'V A C S O',
  'DELETE /session': 'V A C S O',
  'GET /sessions': 'V A C S O',
  'DELETE /sessions/{sessionId}': 'V A C S O',
  'POST /password-resets': 'nobody',
  'POST /passwords': 'nobody',
  'PUT /session/password': 'V A C S O',
  'POST /session/second-factor': 'V A C S O',
  'PUT /session/second-factor': 'V A C S O',
  'POST /session/second-factor/removal': 'V A C S O',
  'POST /operator-tokens': STAFF,
  'GET /operator-tokens': STAFF,
  'DELETE /operator-tokens/{tokenId}': STAFF,
  'POST /organizations': STAFF,
  'GET /organizations': READ,
  'GET /organizations/{organizationId}': READ,
  'POST /people': `A ${STAFF}`,
  'GET /people': `A ${STAFF}`,
  'PATCH /people/{personId}': `A ${STAFF}`,
  'DELETE /people/{personId}': `A ${STAFF}`,
  'POST /people/{personId}/invitation': `A ${STAFF}`,
  'POST /api-keys': 'A',
  'GET /api-keys': `A ${STAFF}`,
  'POST /api-keys/{keyId}/replace': 'A',
  'DELETE /api-keys/{keyId}': `A ${STAFF}`,
  'POST /licenses': STAFF,
  'GET /licenses': `${READ} license:read`,
  'GET /licenses/{licenseId}': `${READ} license:read`,
  'PATCH /licenses/{licenseId}': STAFF,
  'POST /licenses/{licenseId}/keys': STAFF,
  'DELETE /licenses/{licenseId}/keys/{keyId}': STAFF,
  'GET /license/alerts': `${READ} license:read`,
  // A public key, for whoever checks an entitlement.
  'GET /license/entitlement-key': `nobody ${READ} license deployment ${SCOPES.join(' ')}`,
  'GET /credits': `${READ} license:read`,
  'POST /credits/grants': STAFF,
  'POST /credits/grants/{grantId}/void': STAFF,
  'GET /credits/movements': `${READ} license:read`,
  'GET /audit': `A ${STAFF}`,
  'GET /deployments': `${READ} deployments:read`,
  'GET /deployments/{deploymentId}': `${READ} deployments:read`,
  'PATCH /deployments/{deploymentId}': `A ${STAFF}`,
  'POST /deployments/{deploymentId}/token': `A ${STAFF}`,
  'GET /usage': `${READ} deployment usage:read`,
  'POST /price-books': STAFF,
  'GET /price-books': 'S O token',
  'GET /price-books/{priceBookId}': 'S O token',
  'POST /offers': 'C S O token',
  'GET /offers': `${READ} offers:read`,
  'GET /offers/{offerId}': `${READ} offers:read`,
  'GET /offers/{offerId}/pdf': `${READ} offers:read`,
  'PATCH /offers/{offerId}': 'C S O token',
  'POST /offers/{offerId}/send': 'C S O token',
  'POST /offers/{offerId}/accept': 'A',
  'POST /offers/{offerId}/reject': 'A C S O token offers:write',
  'POST /webhooks': 'A',
  'GET /webhooks': `A ${STAFF}`,
  'GET /webhooks/{webhookId}': `A ${STAFF}`,
  'PATCH /webhooks/{webhookId}': 'A',
  'DELETE /webhooks/{webhookId}': 'A',
  'POST /webhooks/{webhookId}/secret': 'A',
  'POST /webhooks/{webhookId}/test': 'A',
  'GET /webhooks/{webhookId}/messages': `A ${STAFF}`,
  'GET /webhooks/{webhookId}/messages/{messageId}': `A ${STAFF}`,
  'GET /webhooks/{webhookId}/attempts': `A ${STAFF}`,
  'POST /webhooks/{webhookId}/messages/{messageId}/replay': 'A',
  'POST /webhooks/{webhookId}/replay': 'A',
}
const BASE = '/api/portal/v1'
const END = 'DELETE /session'
const clock = makeManualClock()
const FAR = '2035-01-01T00:00:00Z'
const PLAN = { name: 'P', volumeBytesPerDay: 1 }
const REPORT = { fingerprint: 'matrix-deployment', name: 'm', version: '1', layout: 'X8' }
let portal: TestPortal
let world: World
let licenseId = ''
let licenseKey = ''
let deployment = { id: '', token: '' }
let from = 0

beforeAll(async () => {
  portal = await makeTestPortal({ clock })
  world = await makeWorld(portal)
  const as = portal.operator
  const license = { organizationId: world.direct, name: 'L', plan: PLAN, validTo: FAR }
  const made = await portal.ask({ path: '/licenses', as, body: license })
  licenseId = made.body.license.id
  licenseKey = made.body.licenseKey
  const first = await ask('POST /deployments/heartbeat', licenseKey, REPORT)
  expect(first.status, first.text).toBe(201)
  deployment = { id: first.body.deploymentId, token: first.body.deploymentToken }
})

/** Each call of a fresh address: what is tried here is no limit of calls. */
function ask(
  call: string,
  as?: string,
  body: unknown = {},
  more: { readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const [method = '', path = ''] = call.split(' ')
  from += 1
  return portal.ask({
    ...{ method, as, path: path.replaceAll(/\{\w+\}/g, 'x'), ...more },
    address: `10.0.${from >> 8}.${from & 255}`,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
  })
}
const calls = () => [...Object.keys(EXPECTED).filter((it) => it !== END), END]
const makeKey = async (scopes: readonly string[], more: object = {}) => {
  const body = { name: 'K', scopes, ...more }
  const made = await ask('POST /api-keys', world.sessions.admin, body)
  expect(made.status, made.text).toBe(201)
  return { id: String(made.body.apiKey.id), key: String(made.body.key) }
}

it('the table here names every call of the portal and no other', () => {
  const served = portal.app.routes.flatMap(({ methods, path }) =>
    path.startsWith(`${BASE}/`)
      ? methods.map((method) => `${method} ${path.slice(BASE.length)}`)
      : [],
  )
  expect(Object.keys(EXPECTED).sort()).toEqual(served.sort())
})

describe('of all calls, exactly those of the table are open to', () => {
  const expectOpen = async (name: string, as: string | undefined) => {
    const open: string[] = []
    for (const call of calls()) {
      const { status } = await ask(call, as)
      expect(status, call).toBeLessThan(500)
      if (status !== 401 && status !== 403) open.push(call)
      // A call without credentials is told that they are missing, others that they do not suffice.
      else if (name !== 'license' && name !== 'deployment')
        expect(status, call).toBe(as === undefined ? 401 : 403)
    }
    const wanted = calls().filter((call) => EXPECTED[call]?.split(' ').includes(name))
    expect(open).toEqual(wanted)
  }

  it('nobody', () => expectOpen('nobody', undefined))
  it('an operator token', () => expectOpen('token', portal.operator))
  it('a licence key', () => expectOpen('license', licenseKey))
  it('a deployment token', () => expectOpen('deployment', deployment.token))
  for (const scope of SCOPES)
    it(`a key with the scope ${scope}`, async () => {
      await expectOpen(scope, (await makeKey([scope])).key)
    })
  for (const [letter, who] of Object.entries(ROLES))
    it(`a session of the role ${who}`, async () => {
      const session = world.sessions[who]
      const { body } = await ask('GET /session', session)
      await expectOpen(letter, session)
      // The last call has ended it.
      const email: string = body.person.email
      expect((await ask('GET /session', session)).status).toBe(401)
      const again = await ask('POST /session', undefined, { email, password: PASSWORD })
      expect(again.status, again.text).toBe(201)
      world = { ...world, sessions: { ...world.sessions, [who]: again.body.token } }
    })
})

describe('no call is open to', () => {
  const expectShut = async (as: string) => {
    for (const call of calls()) {
      const { status, body } = await ask(call, as)
      expect([call, status, body.code]).toEqual([call, 401, 'unauthenticated'])
    }
  }

  it('what is no credential', async () => {
    for (const as of ['x', `opr_${'0'.repeat(49)}`, portal.operator.slice(0, -1)])
      await expectShut(as)
  })
  it('a credential under the prefix of another kind', async () => {
    for (const prefix of ['ses', 'key', 'dpl', 'lic'])
      await expectShut(`${prefix}${portal.operator.slice(3)}`)
  })
  it('one that is well made, and was never given out', async () => {
    for (const kind of ['operator', 'session', 'api_key', 'deployment', 'license'] as const)
      await expectShut(makeSecret(kind, clock).text)
  })
  it('one that has ended or was revoked', async () => {
    const expiresAt = new Date(clock.nowMs() + 1000).toISOString()
    const ended = await makeKey(SCOPES, { expiresAt })
    clock.advance(1000)
    await expectShut(ended.key)
    const revoked = await makeKey(SCOPES)
    await portal.ask({
      ...{ method: 'DELETE', path: `/api-keys/${revoked.id}`, as: world.sessions.admin },
    })
    await expectShut(revoked.key)
  })
  it('a session as a licence, a cookie of a token, or two credentials in one header', async () => {
    const cookie = { headers: { cookie: `logeye_portal_session=${portal.operator}` } }
    const basic = { headers: { authorization: `Basic ${btoa(`x:${portal.operator}`)}` } }
    const twice = { headers: { authorization: `Bearer ${portal.operator}, Bearer x` } }
    for (const more of [cookie, basic, twice])
      for (const call of calls())
        expect([call, (await ask(call, undefined, {}, more)).status]).toEqual([call, 401])
  })
  it('a licence key that was revoked, and its first contact is told so', async () => {
    const as = portal.operator
    const made = await portal.ask({ path: `/licenses/${licenseId}/keys`, as, body: {} })
    expect(made.status, made.text).toBe(201)
    const { licenseKey: key, license } = made.body
    const path = `/licenses/${licenseId}/keys/${license.keys.at(-1).id}`
    expect((await portal.ask({ method: 'DELETE', path, as })).status).toBe(204)
    for (const call of calls()) expect([call, (await ask(call, key)).status]).toEqual([call, 403])
    const told = await ask('POST /deployments/heartbeat', key, REPORT)
    expect([told.status, told.body.code]).toEqual([403, 'license_revoked'])
  })
})

describe('another organization', () => {
  it('is at every call as one that is not there', async () => {
    const { key } = await makeKey(SCOPES)
    const callers = [world.sessions.soldAdmin, world.sessions.reseller, key, deployment.token]
    const own = [world.sold, world.channel, world.direct, world.direct]
    for (const [at, as] of callers.entries())
      for (const call of calls()) {
        const answers = []
        for (const id of [own[at] === world.direct ? world.sold : world.direct, 'org_absent']) {
          const { status, text } = await ask(call, as, {}, { headers: { 'x-organization-id': id } })
          answers.push([status, text.replace(/"req_\w+"/, '')])
        }
        expect(answers[0]?.[0], call).toBe(404)
        expect(answers[0], call).toEqual(answers[1])
      }
  })

  it('has objects that are told as absent ones are, byte for byte', async () => {
    const as = portal.operator
    const { admin, soldAdmin, sales } = world.sessions
    const headers = { 'x-organization-id': world.direct }
    const book = makeDocument([
      makeItem('logs', [{ model: { kind: 'per_unit', unitPrice: '1' }, per: 'month' }]),
    ])
    expect((await portal.ask({ path: '/price-books', as, body: book })).status).toBe(201)
    const content = { lines: [{ item: 'logs', quantity: '1' }] }
    const draft = { title: 'T', content, validUntil: FAR, license: { kind: 'none' } }
    const offer = await portal.ask({ path: '/offers', as: sales, headers, body: draft })
    const offerId: string = offer.body.id
    const sent = { method: 'POST', path: `/offers/${offerId}/send`, as: sales, headers }
    expect((await portal.ask(sent)).status).toBe(200)
    const form = new FormData()
    form.append('file', new Blob(['a,b\n1,2\n'], { type: 'text/csv' }), 'a.csv')
    const file = { path: `/offers/${offerId}/attachments`, as: admin, body: form }
    const attachmentId: string = (await portal.ask(file)).body.id
    const people = await portal.ask({ path: '/people', as: admin })
    const sessions = await portal.ask({ path: '/sessions', as: admin })
    const grant = { amount: '5.00', source: 'matrix' }
    const granted = await portal.ask({ path: '/credits/grants', as, headers, body: grant })
    const hook = await portal.ask({
      ...{ path: '/webhooks', as: admin },
      body: { url: 'https://hooks.example.com/x', events: ['offer.sent'] },
    })
    const webhookId: string = hook.body.webhook.id
    const test = { method: 'POST', path: `/webhooks/${webhookId}/test`, as: admin }
    const hour = new Date(clock.nowMs()).toISOString().replace(/:.*/, ':00:00.000Z')
    const report = { ...REPORT, meters: [{ hour, events: 1, bytes: 1 }] }
    await ask('POST /deployments/heartbeat', deployment.token, report)
    const usage = await portal.ask({ path: `/usage?deploymentId=${deployment.id}`, as: admin })
    expect(usage.body.data).toHaveLength(1)
    const ids: Readonly<Record<string, string>> = {
      ...{ offerId, attachmentId, licenseId, organizationId: world.direct },
      deploymentId: deployment.id,
      personId: people.body.data[0].id,
      sessionId: sessions.body.data[0].id,
      keyId: (await makeKey(['usage:read'])).id,
      grantId: granted.body.grants?.[0]?.id,
      ...{ webhookId, messageId: (await portal.ask(test)).body.id },
    }
    for (const [name, id] of Object.entries(ids)) expect(id, name).toMatch(/^\w{3,4}_\w{26}$/)
    const name = 'Foreign'
    const keyOf = async (scope: string) => {
      const made = await ask('POST /api-keys', soldAdmin, { name, scopes: [scope] })
      return { letter: scope, as: String(made.body.key), headers: {} }
    }
    const callers = [
      { letter: 'A', as: soldAdmin, headers: {} },
      // For its own customer.
      { letter: 'C', as: world.sessions.reseller, headers: { 'x-organization-id': world.sold } },
      ...(await Promise.all(SCOPES.map(keyOf))),
    ]
    const ownHook = { url: 'https://hooks.example.com/y', events: ['offer.sent'] }
    const own = `/webhooks/${(await ask('POST /webhooks', soldAdmin, ownHook)).body.webhook.id}`
    // Of what is named in a query, or below what is one's own, beside what is named in a path.
    const queries = {
      'GET /usage?deploymentId={deploymentId}': 'GET /usage',
      'GET /license/status?deploymentId={deploymentId}': 'GET /license/status',
      [`GET ${own}/attempts?messageId={messageId}`]: 'GET /webhooks/{webhookId}/attempts',
      [`GET ${own}/messages/{messageId}`]: 'GET /webhooks/{webhookId}/messages/{messageId}',
      [`POST ${own}/messages/{messageId}/replay`]:
        'POST /webhooks/{webhookId}/messages/{messageId}/replay',
    }
    const named = [...calls().map((call) => [call, call]), ...Object.entries(queries)]
    let tried = 0
    for (const { letter, ...who } of callers)
      for (const [call = '', row = ''] of named) {
        if (!call.includes('{') || !EXPECTED[row]?.split(' ').includes(letter)) continue
        const fill = (isReal: boolean) =>
          call.replaceAll(/\{(\w+)\}/g, (_, of) => {
            const id = ids[of] ?? 'xxx_00000000000000000000000000'
            return isReal ? id : `${id.slice(0, -3)}zzz`
          })
        const bodies: unknown[] = call.startsWith('PATCH') ? [{}, { name: 'taken' }] : [{}]
        for (const body of bodies) {
          const answers = []
          for (const isReal of [true, false]) {
            const { status, text } = await ask(fill(isReal), who.as, body, { headers: who.headers })
            const bare = text.replace(/"req_\w+"/, '').replaceAll(/_\w{26}/g, '')
            answers.push([letter, call, status, bare])
          }
          expect(answers[0]).toEqual(answers[1])
          // A filter finds nothing; without mail nobody is invited, whoever it is.
          const isFilter = /^GET \/(usage|.*\/attempts)\?/.test(call)
          expect(isFilter ? [200] : [400, 404, 409, 415], call).toContain(answers[0]?.[2])
          if (isFilter) expect(answers[0]?.[3]).toContain('"data":[]')
          tried += 1
        }
      }
    expect(tried).toBeGreaterThan(50)
    // Nothing was changed by it.
    expect((await portal.ask({ path: `/offers/${offerId}`, as: admin })).body.state).toBe('sent')
    const files = await portal.ask({ path: `/offers/${offerId}/attachments`, as: admin })
    expect(files.body.data).toHaveLength(1)
  })
})
