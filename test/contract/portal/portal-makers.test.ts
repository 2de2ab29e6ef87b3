// What goes on without the person who made it: API keys, operator tokens, webhooks. It names its
// maker, and ends with the maker where the call says so.
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { cheapenPassword, makeWorld, type World } from '../../support/portal/world.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'

const PASSWORD = 'correct horse battery'
const clock = makeManualClock()
let portal: TestPortal
let world: World
let joined = 0

beforeAll(async () => {
  portal = await makeTestPortal({ clock })
  world = await makeWorld(portal)
})

/** Made by the operator token; `as` acts for the organization. */
async function join(organizationId: string, role: string) {
  joined += 1
  const email = `maker-${joined}@customer.test`
  const of = { as: portal.operator, headers: { 'x-organization-id': organizationId } }
  const body = { email, name: `Maker ${joined}`, role, password: PASSWORD }
  const made = await portal.ask({ ...of, path: '/people', body })
  expect(made.status, made.text).toBe(201)
  await cheapenPassword(portal, email, PASSWORD)
  const address = `203.0.113.${joined}`
  const signed = await portal.ask({
    path: '/session',
    body: { email, password: PASSWORD },
    address,
  })
  const id: string = made.body.id
  return { id, name: body.name, email, as: String(signed.body.token), path: `/people/${id}` }
}

const makeKey = async (as: string, headers = {}) => {
  const body = { name: 'Export', scopes: ['usage:read'] }
  const made = await portal.ask({ path: '/api-keys', as, body, headers })
  expect(made.status, made.text).toBe(201)
  return { id: String(made.body.apiKey.id), key: String(made.body.key), told: made.body.apiKey }
}
const makeHook = async (as: string) => {
  const body = { url: 'https://hooks.example.com/x', events: ['offer.sent'] }
  const made = await portal.ask({ path: '/webhooks', as, body })
  expect(made.status, made.text).toBe(201)
  return made.body.webhook
}
const makeToken = async (as: string) => {
  const made = await portal.ask({ path: '/operator-tokens', as, body: { name: 'Reports' } })
  expect(made.status, made.text).toBe(201)
  return { token: String(made.body.token), told: made.body.operatorToken }
}
const usageOf = async (as: string) => (await portal.ask({ path: '/usage', as })).status
const keyOf = async (id: string, as = world.sessions.admin) => {
  const { body } = await portal.ask({ path: '/api-keys?limit=200', as })
  return body.data.find((it: { id: string }) => it.id === id)
}
const hookOf = async (id: string) =>
  (await portal.ask({ path: `/webhooks/${id}`, as: world.sessions.admin })).body
const personOf = async (id: string, organizationId: string) => {
  const headers = { 'x-organization-id': organizationId }
  const { body } = await portal.ask({ path: '/people?limit=200', as: portal.operator, headers })
  return body.data.find((it: { id: string }) => it.id === id)
}
const remove = (path: string, as: string, headers = {}) =>
  portal.ask({ method: 'DELETE', path, as, headers })

describe('a key, a token and a webhook name their maker', () => {
  it('who is said to be gone once removed, and they go on', async () => {
    const ada = await join(world.direct, 'customer_admin')
    const { id, key, told } = await makeKey(ada.as)
    const hook = await makeHook(ada.as)
    const madeBy = { id: ada.id, name: ada.name, isMember: true }
    expect([told.madeBy, hook.madeBy]).toEqual([madeBy, madeBy])
    const made = { apiKeys: 1, webhooks: 1, operatorTokens: 0 }
    expect((await personOf(ada.id, world.direct)).made).toEqual(made)
    expect((await remove(ada.path, world.sessions.admin)).status).toBe(204)
    expect((await keyOf(id)).madeBy).toEqual({ ...madeBy, isMember: false })
    expect((await hookOf(hook.id)).madeBy).toEqual({ ...madeBy, isMember: false })
    expect(await usageOf(key)).toBe(200)
  })

  it('a key that is replaced that of the new one', async () => {
    const ada = await join(world.direct, 'customer_admin')
    const { id } = await makeKey(ada.as)
    const path = `/api-keys/${id}/replace`
    const replaced = await portal.ask({ path, as: world.sessions.admin, body: {} })
    expect(replaced.body.apiKey.madeBy.name).toBe('customer_admin')
  })

  it('a webhook whoever gave the address last', async () => {
    const ada = await join(world.direct, 'customer_admin')
    const hook = await makeHook(world.sessions.admin)
    const change = (body: object) =>
      portal.ask({ method: 'PATCH', path: `/webhooks/${hook.id}`, as: ada.as, body })
    expect((await change({ description: 'For sales' })).body.madeBy.name).toBe('customer_admin')
    const moved = await change({ url: 'https://hooks.example.com/y' })
    expect(moved.body.madeBy.id).toBe(ada.id)
  })

  it('a token of a token none', async () => {
    expect((await makeToken(portal.operator)).told.madeBy).toBe(null)
  })
})

describe('with revokeKeys they end with their maker', () => {
  it('who is removed, and those of others go on', async () => {
    const ada = await join(world.direct, 'customer_admin')
    const [own, other] = [await makeKey(ada.as), await makeKey(world.sessions.admin)]
    const [hook, otherHook] = [await makeHook(ada.as), await makeHook(world.sessions.admin)]
    const removed = await remove(`${ada.path}?revokeKeys=true`, world.sessions.admin)
    expect(removed.status).toBe(204)
    expect([await usageOf(own.key), await usageOf(other.key)]).toEqual([401, 200])
    expect((await keyOf(own.id)).revokedAt).not.toBe(null)
    expect([(await hookOf(hook.id)).isEnabled, (await hookOf(otherHook.id)).isEnabled]).toEqual([
      false,
      true,
    ])
  })

  it('and no repeat of a call without it passes for one with it', async () => {
    const ada = await join(world.direct, 'customer_admin')
    const { key } = await makeKey(ada.as)
    const repeated = { 'idempotency-key': 'removal' }
    expect((await remove(ada.path, world.sessions.admin, repeated)).status).toBe(204)
    const other = await remove(`${ada.path}?revokeKeys=true`, world.sessions.admin, repeated)
    expect([other.status, other.body?.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await usageOf(key)).toBe(200)
  })

  it('whose role is changed', async () => {
    const ada = await join(world.direct, 'customer_admin')
    const { key } = await makeKey(ada.as)
    const body = { role: 'customer_viewer', revokeKeys: true }
    const as = world.sessions.admin
    const changed = await portal.ask({ method: 'PATCH', path: ada.path, as, body })
    expect(changed.body.made).toEqual({ apiKeys: 0, webhooks: 0, operatorTokens: 0 })
    expect(await usageOf(key)).toBe(401)
  })

  it('of the acting organization alone, unless an operator disables the person', async () => {
    const ada = await join(world.direct, 'customer_admin')
    const elsewhere = { 'x-organization-id': world.sold }
    const again = { email: ada.email, name: ada.name, role: 'customer_admin', password: PASSWORD }
    const as = portal.operator
    await portal.ask({ path: '/people', as, headers: elsewhere, body: again })
    await cheapenPassword(portal, ada.email, PASSWORD)
    const signed = await portal.ask({
      ...{ path: '/session', body: { email: ada.email, password: PASSWORD } },
      address: '203.0.113.250',
    })
    const own = await makeKey(signed.body.token, { 'x-organization-id': world.direct })
    const sold = await makeKey(signed.body.token, elsewhere)
    const revoke = (body: object, who: string, headers = {}) =>
      portal.ask({ method: 'PATCH', path: ada.path, as: who, body, headers })
    await revoke({ revokeKeys: true }, world.sessions.soldAdmin)
    expect([await usageOf(own.key), await usageOf(sold.key)]).toEqual([200, 401])
    const disabled = { isEnabled: false, revokeKeys: true }
    expect((await revoke(disabled, world.sessions.soldAdmin)).status).toBe(403)
    expect(await usageOf(own.key)).toBe(200)
    expect((await revoke(disabled, portal.operator, elsewhere)).status).toBe(200)
    expect(await usageOf(own.key)).toBe(401)
  })

  it('of an operator the tokens', async () => {
    const olga = await join(world.vendor, 'operator')
    const { token, told } = await makeToken(olga.as)
    expect(told.madeBy).toEqual({ id: olga.id, name: olga.name, isMember: true })
    expect((await personOf(olga.id, world.vendor)).made.operatorTokens).toBe(1)
    const headers = { 'x-organization-id': world.vendor }
    expect((await remove(`${olga.path}?revokeKeys=true`, portal.operator, headers)).status).toBe(
      204,
    )
    expect((await portal.ask({ path: '/operator-tokens', as: token })).status).toBe(401)
  })
})
