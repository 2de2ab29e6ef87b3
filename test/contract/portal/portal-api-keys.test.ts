import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../../schemas/portal/scopes.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeWorld, type World } from '../../support/portal/world.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'

const DAY_MS = 86_400_000
const clock = makeManualClock()
let portal: TestPortal
let world: World

beforeAll(async () => {
  portal = await makeTestPortal({ clock })
  world = await makeWorld(portal)
})

const admin = () => world.sessions.admin
const make = (body: object, headers = {}, as = admin()) =>
  portal.ask({ path: '/api-keys', as, body: { name: 'Billing', ...body }, headers })
const keyOf = async (scopes: readonly string[], more: object = {}) => {
  const made = await make({ scopes, ...more })
  expect(made.status, made.text).toBe(201)
  return { id: String(made.body.apiKey.id), key: String(made.body.key) }
}
const get = async (path: string, as: string, at = portal) => {
  const { status, body } = await at.ask({ path, as })
  return status === 200 ? 200 : `${status} ${body.code}`
}
const remove = (id: string, as = admin()) =>
  portal.ask({ method: 'DELETE', path: `/api-keys/${id}`, as })
const told = async (id: string) => {
  const { body } = await portal.ask({ path: '/api-keys?limit=200', as: admin() })
  return body.data.find((it: { id: string }) => it.id === id)
}

describe('a key of the API', () => {
  it('is shown once, and nowhere else', async () => {
    const headers = { 'idempotency-key': 'make-1' }
    const body = { name: 'Shown once', scopes: ['usage:read'] }
    const made = await make(body, headers)
    expect(made.body.key).toMatch(/^key_[0-9A-Za-z]{49}$/)
    expect(made.body.apiKey).toMatchObject({ ...body, last4: made.body.key.slice(-4) })
    const again = await make(body, headers)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([made.text, 'true'])
    const list = await portal.ask({ path: '/api-keys?limit=200', as: admin() })
    expect(list.body.data).toContainEqual(made.body.apiKey)
    expect(list.text).not.toContain(made.body.key)
    const tables = ['credentials', 'idempotent_answers', 'portal_audit'] as const
    for (const table of tables) {
      const rows = await portal.database.read.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(made.body.key)
    }
  })

  it('is refused or taken by every documented call as the document says', async () => {
    const { body: document } = await portal.ask({ path: '/api/portal/openapi.json' })
    const keys = new Map<string, string>()
    for (const scope of SCOPES) keys.set(scope, (await keyOf([scope])).key)
    const seen = new Set<string>()
    for (const [path, methods] of Object.entries<Record<string, unknown>>(document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        if (!path.startsWith('/api/portal/v1/')) continue
        const { security } = operation as { security: Record<string, string[]>[] }
        // A call that names no scope takes every key.
        const wanted = security.flatMap(({ apiKey }) =>
          apiKey?.length === 0 ? SCOPES : (apiKey ?? []),
        )
        for (const [scope, key] of keys) {
          clock.advance(60_000)
          const answer = await portal.ask({
            ...{ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'x'), as: key },
            ...(method === 'get' || method === 'delete' ? {} : { body: {} }),
          })
          const code = answer.body?.code
          const isOpen = !['forbidden', 'insufficient_scope'].includes(code)
          const isHeartbeat = path.endsWith('/heartbeat') && answer.status === 403
          expect(isOpen && !isHeartbeat, `${method} ${path} ${scope}: ${answer.text}`).toBe(
            wanted.some((one) => one === scope),
          )
          if (isOpen) seen.add(scope)
        }
      }
    expect([...seen].sort()).toEqual([...SCOPES].sort())
  })

  it('acts for its own organization alone', async () => {
    const { key } = await keyOf(['license:read'])
    const headers = { 'x-organization-id': world.sold }
    const foreign = await portal.ask({ path: '/licenses', as: key, headers })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
    const own = { 'x-organization-id': world.direct }
    expect((await portal.ask({ path: '/licenses', as: key, headers: own })).status).toBe(200)
  })

  it('is counted by itself, and a wrong one by its address', async () => {
    const { key } = await keyOf(['license:read'])
    const first = await portal.ask({ path: '/licenses', as: key })
    const second = await portal.ask({ path: '/licenses', as: key })
    const left = (of: typeof first) => Number(of.headers.get('ratelimit-remaining'))
    expect(first.headers.get('ratelimit-limit')).toBe('600')
    expect(left(first) - left(second)).toBe(1)
    const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
    const refused = await portal.ask({ path: '/licenses', as: wrong, address: '203.0.113.9' })
    expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([401, '60'])
  })
})

describe('the end of a key', () => {
  it('holds at once, at every process', async () => {
    const other = await portal.another()
    const { id, key } = await keyOf(['license:read'])
    expect(await get('/licenses', key, other)).toBe(200)
    expect((await remove(id)).status).toBe(204)
    expect(await get('/licenses', key, other)).toBe('401 unauthenticated')
    expect(await get('/licenses', key)).toBe('401 unauthenticated')
    expect((await remove(id)).status).toBe(404)
    expect((await told(id)).revokedAt).not.toBeNull()
    const { body } = await portal.ask({ path: '/audit', as: admin() })
    expect(body.data).toContainEqual(
      expect.objectContaining({ action: 'revokeApiKey', target: id, result: 'done' }),
    )
  })

  it('comes by itself when it was made so', async () => {
    const expiresAt = new Date(clock.nowMs() + 60_000).toISOString()
    const { id, key } = await keyOf(['license:read'], { expiresAt })
    expect(await get('/licenses', key)).toBe(200)
    clock.advance(60_000)
    expect(await get('/licenses', key)).toBe('401 unauthenticated')
    const ended = await portal.ask({ path: '/api-keys?inForce=false', as: admin() })
    expect(ended.body.data.map((it: { id: string }) => it.id)).toContain(id)
    const past = await make({ scopes: ['license:read'], expiresAt: '2020-01-01T00:00:00Z' })
    expect([past.status, past.body.errors[0].pointer]).toEqual([400, '/expiresAt'])
  })

  it('comes with its replacement, at once or after a while', async () => {
    const { id, key } = await keyOf(['license:read', 'usage:read'])
    const replace = (of: string, body: object) =>
      portal.ask({ path: `/api-keys/${of}/replace`, as: admin(), body })
    const next = await replace(id, { graceSeconds: 3600 })
    expect(next.body.apiKey).toMatchObject({
      ...{ name: 'Billing', scopes: ['license:read', 'usage:read'], expiresAt: null },
    })
    expect(await get('/licenses', key)).toBe(200)
    expect(await get('/licenses', next.body.key)).toBe(200)
    clock.advance(3_600_000)
    expect(await get('/licenses', key)).toBe('401 unauthenticated')
    const last = await replace(next.body.apiKey.id, {})
    expect(await get('/licenses', next.body.key)).toBe('401 unauthenticated')
    expect(await get('/licenses', last.body.key)).toBe(200)
    expect((await replace(id, {})).status).toBe(404)
  })
})

describe('who makes keys', () => {
  it('is the administrator of the customer; the vendor may revoke', async () => {
    const { sessions, direct } = world
    for (const who of ['viewer', 'reseller', 'sales', 'staff'] as const) {
      const headers = who === 'viewer' ? {} : { 'x-organization-id': direct }
      const answer = await make({ scopes: ['usage:read'] }, headers, sessions[who])
      expect(answer.status, who).toBe(who === 'reseller' ? 404 : 403)
    }
    const byKey = await make({ scopes: ['usage:read'] }, {}, (await keyOf(SCOPES)).key)
    expect([byKey.status, byKey.body.code]).toEqual([403, 'forbidden'])
    const { id, key } = await keyOf(['usage:read'])
    expect((await remove(id, sessions.soldAdmin)).status).toBe(404)
    expect(await get('/usage', key)).toBe(200)
    const asOperator = { as: portal.operator, headers: { 'x-organization-id': direct } }
    const path = `/api-keys/${id}`
    expect((await portal.ask({ method: 'DELETE', path, ...asOperator })).status).toBe(204)
    expect(await get('/usage', key)).toBe('401 unauthenticated')
  })

  it('has no scope for a call that customer_admin, who alone makes keys, may not make', async () => {
    const { body: document } = await portal.ask({ path: '/api/portal/openapi.json' })
    for (const methods of Object.values<Record<string, unknown>>(document.paths))
      for (const operation of Object.values(methods)) {
        const { security, description } = operation as {
          security?: Record<string, string[]>[]
          description?: string
        }
        const scope = (security ?? []).flatMap((way) => way.apiKey ?? [])[0]
        if (SCOPES.some((one) => one === scope)) expect(description).toContain('customer_admin')
      }
  })

  it('names at least one scope, each once, and no unknown one', async () => {
    for (const scopes of [[], ['all'], ['usage:read', 'usage:read'], ['people:write']])
      expect((await make({ scopes })).status).toBe(400)
  })

  it('has no more than a hundred in force', async () => {
    const own = world.sessions.soldAdmin
    for (let count = 0; count < 100; count += 1) {
      clock.advance(1000)
      expect((await make({ scopes: ['usage:read'] }, {}, own)).status).toBe(201)
    }
    const refused = await make({ scopes: ['usage:read'] }, {}, own)
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many'])
    const first = await portal.ask({ path: '/api-keys?limit=40', as: own })
    const second = await portal.ask({
      ...{ path: `/api-keys?limit=200&cursor=${first.body.nextCursor}`, as: own },
    })
    const ids = [...first.body.data, ...second.body.data].map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([100, 100])
  })
})

describe('the last use of a key', () => {
  it('is told when it was written', async () => {
    const { id, key } = await keyOf(['license:read'])
    expect((await told(id)).lastUsedAt).toBeNull()
    const other = await portal.another()
    clock.advance(DAY_MS)
    const at = new Date(clock.nowMs()).toISOString()
    // Refused for its scope is used, too.
    expect(await get('/usage', key, other)).toBe('403 insufficient_scope')
    await other.app.close()
    const row = await portal.database.read
      .selectFrom('credentials')
      .select('last_used_ms')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(new Date(Number(row.last_used_ms)).toISOString()).toBe(at)
  })
})
