import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSecret } from '../../../portal/access/secrets.ts'
import { Cursors } from '../../../portal/edge/cursors.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeCustomer } from '../../support/portal/world.ts'
import { testClock } from '../../support/run/test-clock.ts'

let portal: TestPortal
let other: TestPortal

beforeAll(async () => {
  portal = await makeTestPortal()
  other = await portal.another()
})

const make = (name: string, key?: string, at: TestPortal = portal) =>
  at.ask({
    ...{ path: '/organizations', as: portal.operator, body: { name } },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })

describe('a call that is sent again', () => {
  it('is done once by fifty equal ones at one moment, over two processes', async () => {
    const calls = Array.from({ length: 50 }, (_, at) =>
      make('Fifty', 'fifty', at % 2 === 0 ? portal : other),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const repeats = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
    expect(repeats.length).toBe(49)
    const rows = portal.database.read.selectFrom('organizations').select('id')
    expect(await rows.where('name', '=', 'Fifty').execute()).toHaveLength(1)
  })

  it('is another with another body, and may be quoted', async () => {
    await make('First of a key', 'reused')
    const second = await make('Second of a key', 'reused')
    expect([second.status, second.body.code]).toEqual([422, 'idempotency_key_reused'])
    const quoted = await make('First of a key', '"reused"')
    expect(quoted.headers.get('idempotent-replayed')).toBe('true')
    for (const key of ['', ' ', 'x'.repeat(256), 'ü']) {
      const refused = await make('Refused', key)
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_idempotency_key'])
    }
  })

  it('that failed may be sent again', async () => {
    await make('Taken')
    const failed = await make('Taken', 'failed')
    expect([failed.status, failed.body.code]).toEqual([409, 'exists'])
    const again = await make('Not taken', 'failed')
    expect(again.status).toBe(201)
  })

  it('shows a secret again, which the database does not hold readable', async () => {
    const { body: organization } = await make('With a licence')
    const ask = () =>
      portal.ask({
        path: '/licenses',
        as: portal.operator,
        headers: { 'idempotency-key': 'licence' },
        body: {
          ...{ organizationId: organization.id, name: 'L', validTo: '2035-01-01T00:00:00Z' },
          plan: { name: 'P', volumeBytesPerDay: 1 },
        },
      })
    const [first, second] = [await ask(), await ask()]
    expect(second.text).toBe(first.text)
    const rows = await portal.database.read.selectFrom('idempotent_answers').selectAll().execute()
    const kept = rows.find(({ key }) => key === 'licence')
    expect(kept?.is_sealed).toBe(1)
    expect(JSON.stringify(rows)).not.toContain(first.body.licenseKey)
  })
})

describe('a list', () => {
  it('refuses a cursor that was changed, or is of another list', async () => {
    const { body } = await portal.ask({ path: '/organizations?limit=1', as: portal.operator })
    const { nextCursor } = body
    const read = (path: string) => portal.ask({ path, as: portal.operator })
    const refused = [
      `/organizations?cursor=${nextCursor}x`,
      `/organizations?cursor=x${nextCursor}`,
      '/organizations?cursor=',
      `/organizations?kind=customer&cursor=${nextCursor}`,
      `/licenses?cursor=${nextCursor}`,
    ]
    for (const path of refused) {
      const answer = await read(path)
      expect([answer.status, answer.body.code], path).toEqual([400, 'invalid_cursor'])
    }
    const limits = ['0', '201', '-1', 'x', '1.5', '', '1e2', '0x10', '+5', ' 5', '5 ', '1_0', '٣']
    for (const limit of [...limits, '9'.repeat(400)]) {
      const answer = await read(`/organizations?limit=${encodeURIComponent(limit)}`)
      expect([answer.status, answer.body.code], limit).toEqual([400, 'invalid_request'])
    }
  })

  it('opens no cursor but its own, whatever is changed in it', () => {
    const cursors = new Cursors(Buffer.alloc(32, 7))
    const cursor = cursors.write('org_1', 'list')
    expect(cursors.read(cursor, 'list')).toBe('org_1')
    const changed = fc.tuple(fc.nat(cursor.length - 1), fc.constantFrom(...'aZ0._-='))
    fc.assert(
      fc.property(changed, ([at, character]) => {
        const text = cursor.slice(0, at) + character + cursor.slice(at + 1)
        if (text !== cursor) expect(() => cursors.read(text, 'list')).toThrow('cursor')
        else expect(cursors.read(text, 'list')).toBe('org_1')
      }),
    )
  })
})

describe('a call', () => {
  it('that is not as documented is told each fault', async () => {
    const asked = { path: '/organizations', as: portal.operator }
    const told = await portal.ask({ ...asked, body: { name: '', region: 'x', secret: 1 } })
    expect(told.status).toBe(400)
    expect(told.headers.get('content-type')).toBe('application/problem+json')
    const pointers = told.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.sort()).toEqual(['/name', '/region', '/secret'])
    const broken = await portal.ask({ ...asked, body: '{"name":' })
    expect(broken.body.code).toBe('invalid_json')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const other = await portal.ask({ ...asked, method: 'POST', body: 'name=a', headers: form })
    expect([other.status, other.body.code]).toEqual([415, 'unsupported_media_type'])
  })

  it('with a key twice in its body is told which, and does nothing', async () => {
    const asked = { path: '/organizations', as: portal.operator }
    for (const [body, pointer] of [
      ['{"name":"Twice a","name":"Twice b"}', '/name'],
      ['{"name":"Twice a","n\\u0061me":"Twice b"}', '/name'],
      ['{"name" :"Twice a", "name"\n:"Twice b"}', '/name'],
    ] as const) {
      const { status, body: told } = await portal.ask({ ...asked, body })
      expect([status, told.code], body).toEqual([400, 'invalid_request'])
      expect(told.errors).toEqual([{ pointer, message: 'is given twice' }])
    }
    const once = await portal.ask({ ...asked, body: '{"name":"Twice \\":\\" once"}' })
    expect([once.status, once.body.name]).toEqual([201, 'Twice ":" once'])
    const { body: all } = await portal.ask({ path: '/organizations?limit=200', as: asked.as })
    const named = all.data.filter(({ name }: { name: string }) => name.startsWith('Twice'))
    expect(named).toHaveLength(1)
  })

  it('has an id, a limit, and headers that keep nothing', async () => {
    const { headers } = await portal.ask({ path: '/organizations', as: portal.operator })
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
    expect(headers.get('ratelimit-policy')).toBe('"calls";q=600;w=60')
    expect(headers.get('cache-control')).toBe('no-store')
    const unknown = await portal.ask({ path: '/nothing', as: portal.operator })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
    const put = await portal.ask({ method: 'PUT', path: '/organizations', as: portal.operator })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST, GET'])
  })

  it('is not refused for a limit of another call', async () => {
    const { id } = await makeCustomer(portal)
    const as = portal.operator
    const headers = { 'x-organization-id': id }
    for (let at = 0; at < 70; at += 1) await portal.ask({ path: '/organizations?limit=1', as })
    const form = { 'content-type': 'multipart/form-data; boundary=b' }
    const upload = { method: 'POST', path: '/offers/x/attachments', as, body: 'x' }
    const { status } = await portal.ask({ ...upload, headers: { ...headers, ...form } })
    expect(status).toBe(404)
  })

  it('with guessed licence keys is made sixty times a minute, by all processes and starts', async () => {
    const body = { fingerprint: 'guessed-one', name: 'g', version: '1', layout: 'X8' }
    const path = '/deployments/heartbeat'
    const guess = async (at: TestPortal, address: string, isInBody: boolean) => {
      const key = makeSecret('license', testClock).text
      const shown = isInBody ? { body: { ...body, licenseKey: key } } : { body, as: key }
      return (await at.ask({ path, address, ...shown })).status
    }
    for (const isInBody of [false, true]) {
      const statuses: number[] = []
      const address = isInBody ? '203.0.113.61' : '203.0.113.60'
      const several = async (at: TestPortal) => {
        const calls = Array.from({ length: 60 }, () => guess(at, address, isInBody))
        statuses.push(...(await Promise.all(calls)))
      }
      await several(portal)
      await several(other)
      await several(await portal.another())
      // At most two minutes of them.
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(120)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(60)
    }
  })

  it('without a credential may be made sixty times a minute', async () => {
    const statuses = []
    for (let at = 0; at < 130; at += 1) {
      const { status } = await portal.ask({ path: '/organizations', address: '203.0.113.50' })
      statuses.push(status)
    }
    // At most the rest of one minute and the whole of the next.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(120)
    expect(statuses).toContain(429)
  })
})

it('health tells its checks to operators alone', async () => {
  const anonymous = await portal.ask({ path: '/api/portal/health' })
  expect(anonymous.body).toEqual({ status: 'pass', version: '1' })
  const operator = await portal.ask({ path: '/api/portal/health', as: portal.operator })
  expect(operator.body.checks.database.status).toBe('pass')
  expect((await portal.ask({ path: '/api/healthcheck' })).body).toEqual({ status: 'alive' })
})
