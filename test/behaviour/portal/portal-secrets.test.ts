// A portal of which every kind of secret is used, rightly and wrongly: none of them is in what it
// prints at its most talkative, nor readable in its files.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  operatorOf,
  type PortalProcess,
  startPortalProcess,
} from '../../support/portal/portal-process.ts'

const PASSWORD = 'a password of nobody else 7391'
const SECRET = /(?:dpl|key|ses|opr|lic|lnk)_[0-9A-Za-z]{49}|whsec_[0-9A-Za-z+/=]{20,}/g
/** Base64 may have slashes: in a path they cut it into short names. */
const SLASHED = 'whsec_p1nbxqzh/8I2u37WJRXYqmwo5dwbON/OQ9OHuq0aOsg='
const PLAN = { name: 'P', volumeBytesPerDay: 1 }
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-portal-secrets-'))
let portal: PortalProcess
let operator = ''

beforeAll(async () => {
  const environment = { LOGEYE_LOG_LEVEL: 'debug' }
  portal = await startPortalProcess({ dataDir, environment })
  operator = operatorOf(await portal.logeye('portal', 'init'))
})
afterAll(async () => {
  await portal?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('prints and keeps no secret that it was shown or has given out', async () => {
  const secrets = new Set([operator, PASSWORD, SLASHED])
  const call = async (method: string, path: string, as?: string, body?: object, more = {}) => {
    const answer = await fetch(`${portal.url}/api/portal/v1${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    const cookies = answer.headers.getSetCookie().join()
    for (const [secret] of `${text} ${cookies}`.matchAll(SECRET)) secrets.add(secret)
    return { status: answer.status, cookies, body: text === '' ? undefined : JSON.parse(text) }
  }
  const must = async (...given: Parameters<typeof call>) => {
    const answer = await call(...given)
    expect(answer.status, `${given[1]} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer
  }

  const { body: organization } = await must('POST', '/organizations', operator, { name: 'Secret' })
  const of = { 'x-organization-id': organization.id }
  const email = 'admin@secret.test'
  const person = { email, name: 'A', role: 'customer_admin', password: PASSWORD }
  await must('POST', '/people', operator, person, of)
  const sign = { email, password: PASSWORD }
  const { body: session } = await must('POST', '/session', undefined, sign)
  const { cookies } = await must('POST', '/session', undefined, { ...sign, cookie: true })
  const scopes = ['usage:read', 'license:read']
  await must('POST', '/api-keys', session.token, { name: 'K', scopes })
  const license = { organizationId: organization.id, name: 'L', plan: PLAN }
  const given = { ...license, validTo: '2035-01-01T00:00:00Z' }
  const { body: made } = await must('POST', '/licenses', operator, given, {
    'idempotency-key': 'kept',
  })
  const report = { fingerprint: 'secret-000001', name: 's', version: '1', layout: 'X8' }
  const first = await must('POST', '/deployments/heartbeat', made.licenseKey, report)
  const inBody = { ...report, fingerprint: 'secret-000002', licenseKey: made.licenseKey }
  await must('POST', '/deployments/heartbeat', undefined, inBody)
  await must('POST', '/deployments/heartbeat', first.body.deploymentToken, report)
  await must('POST', '/operator-tokens', operator, { name: 'Second' })
  await must('POST', '/session/second-factor', session.token, { password: PASSWORD })
  const hook = { url: 'https://hooks.example.com/path-of-a-secret-4711', events: ['offer.sent'] }
  await must('POST', '/webhooks', session.token, hook)
  const [cookie = ''] = cookies.split(';')
  await must('GET', '/session', undefined, undefined, { cookie })
  const known = [...secrets].filter((it) => it !== PASSWORD)
  for (const kind of ['opr', 'ses', 'key', 'lic', 'dpl', 'whsec'])
    expect(
      known.some((it) => it !== SLASHED && it.startsWith(`${kind}_`)),
      kind,
    ).toBe(true)

  // Each where it does not belong, at the wrong call, cut and changed, and as a broken request.
  for (const secret of known) {
    await call('GET', `/organizations?token=${secret}&api_key=${secret}`)
    await call('GET', `/licenses/${secret}`, operator)
    await call('GET', `/${secret}`)
    await call('GET', '/audit', secret.slice(0, -1))
    await call('GET', '/price-books', secret)
    await call('DELETE', `/operator-tokens/${secret}`, secret)
    const escaped = encodeURIComponent(secret)
    for (const path of [escaped, `%20${escaped}`, escaped.replace('_', '%5F')])
      await call('DELETE', `/operator-tokens/${path}`, operator)
    await call('POST', '/organizations', secret, { name: 'x', token: secret, [secret]: 1 })
    // Each costs a slow hash.
    if (secret === operator)
      await call('POST', '/session', undefined, { email: secret, password: secret })
    await call('GET', '/session', undefined, undefined, {
      cookie: `logeye_portal_session=${secret}`,
      'user-agent': secret,
      referer: `https://x.example/?${secret}`,
      'idempotency-key': secret,
      traceparent: secret,
    })
    await call('POST', '/deployments/heartbeat', undefined, { ...report, licenseKey: secret })
  }
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const traced = await call('GET', '/session', undefined, undefined, { traceparent })
  const wrong = { email, password: `${PASSWORD} wrong` }
  expect((await call('POST', '/session', undefined, wrong)).status).toBeGreaterThan(400)
  await call('PUT', '/session/password', session.token, { current: PASSWORD, password: 'x' })
  await call('POST', '/passwords', undefined, { token: known[0] ?? '', password: PASSWORD })
  await portal.stop()

  const output = portal.product.output()
  // At debug it tells of every call.
  expect(output).toContain('/api/portal/v1/deployments/heartbeat')
  const line = output.split('\n').find((one) => one.includes(traceId)) ?? '{}'
  const { requestId, code } = JSON.parse(line)
  expect([requestId, code]).toEqual([traced.body.requestId, 'portal.unauthenticated'])
  const all = [...secrets].flatMap((secret) => {
    const escaped = encodeURIComponent(secret)
    return [secret, escaped, escaped.replace('_', '%5F')]
  })
  const lines = output.split('\n')
  expect(lines.filter((line) => all.some((secret) => line.includes(secret)))).toEqual([])
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
  let read = 0
  for (const file of files) {
    if (!file.isFile()) continue
    const bytes = readFileSync(join(file.parentPath, file.name))
    read += 1
    for (const secret of all)
      expect(bytes.includes(secret), `${file.name} holds ${secret.slice(0, 4)}`).toBe(false)
  }
  expect(read).toBeGreaterThan(1)
})
