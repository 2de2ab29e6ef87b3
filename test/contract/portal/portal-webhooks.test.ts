import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { webhookBodyOf } from '../../../schemas/portal/webhook-events.ts'
import { type HookReceiver, startHookReceiver, verify } from '../../support/portal/hook-receiver.ts'
import { letPass, makePortalClock, wakeFor } from '../../support/portal/portal-clock.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeWorld, PASSWORD, renewSessions, type World } from '../../support/portal/world.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const clock = makePortalClock()
let portal: TestPortal
let world: World
let receiver: HookReceiver

beforeAll(async () => {
  receiver = await startHookReceiver()
  portal = await makeTestPortal({ clock, webhooks: { targets: 'any' } })
  world = await makeWorld(portal)
  admin = world.sessions.admin
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.answer = (response) => response.writeHead(204).end()
})

let admin: string
const ask = async (path: string, body?: object, more: object = {}) => {
  const asked = { path, ...(body === undefined ? {} : { body }), ...more }
  const answered = await portal.ask({ ...asked, as: admin })
  if (answered.status !== 401) return answered
  // Sessions end in the days that tests let pass.
  const email = `customer_admin@${world.direct.slice(-8)}.test`
  const signed = await portal.ask({ path: '/session', body: { email, password: PASSWORD } })
  admin = signed.body.token
  return await portal.ask({ ...asked, as: admin })
}
const post = (path: string) => ask(path, undefined, { method: 'POST' })
type Made = { readonly id: string; readonly secret: string; readonly path: string }
const make = async (events: readonly string[] = ['deployment.registered'], more = {}) => {
  const made = await ask('/webhooks', { url: receiver.url, events, ...more })
  expect(made.status, made.text).toBe(201)
  const { webhook, secret } = made.body
  return { id: webhook.id, secret, path: `/webhooks/${webhook.id}` } as Made
}
const remove = ({ path }: Made) => ask(path, undefined, { method: 'DELETE' })
const test = async ({ path }: Made): Promise<string> => {
  const sent = await post(`${path}/test`)
  expect(sent.status, sent.text).toBe(202)
  return sent.body.id
}
const messageOf = async ({ path }: Made, id: string) =>
  (await ask(`${path}/messages/${id}`)).body.message
const untilState = (made: Made, id: string, state: string, tries?: number) =>
  waitUntil(
    `the message is ${state}, tried ${tries ?? 'any'} times`,
    async () => {
      const message = await messageOf(made, id)
      const { nextAttemptAt: next } = message
      if (message.state === state && message.tries === (tries ?? message.tries)) return true
      wakeFor([{ state: message.state, nextMs: next === null ? null : Date.parse(next) }], clock)
      return false
    },
    () => messageOf(made, id),
  )
const attemptsOf = async ({ path }: Made, id: string) =>
  (await ask(`${path}/attempts?messageId=${id}`)).body.data
const cameFor = (id: string) => receiver.got.filter((it) => it.headers['webhook-id'] === id)

describe('who sees and changes webhooks', () => {
  it('is the administrator of the organization; the vendor looks', async () => {
    const made = await make()
    const id = await test(made)
    await untilState(made, id, 'delivered')
    const { direct, sold } = world
    // Sessions end in the days that tests let pass.
    const sessions = await renewSessions(portal, world)
    const of = { 'x-organization-id': direct }
    const get = (path: string, as: string, headers = {}) => portal.ask({ path, as, headers })
    for (const path of [
      ...['/webhooks', made.path, `${made.path}/messages`, `${made.path}/attempts`],
      `${made.path}/messages/${id}`,
    ]) {
      expect((await get(path, sessions.viewer)).status).toBe(403)
      expect((await get(path, sessions.sales, of)).status).toBe(403)
      expect((await get(path, portal.operator, of)).status).toBe(200)
      expect((await get(path, sessions.staff, of)).status).toBe(200)
      const foreign = await get(path, sessions.soldAdmin)
      if (path === '/webhooks') expect(foreign.body.data).toEqual([])
      else expect(foreign.status).toBe(404)
    }
    const writes = [
      ['POST', '/test'],
      ['PATCH', '', { description: 'x' }],
      ['POST', '/secret', {}],
      ['POST', `/messages/${id}/replay`],
      ['POST', '/replay', { since: '2020-01-01T00:00:00Z' }],
      ['DELETE', ''],
    ] as const
    for (const [method, path, body] of writes) {
      const call = { method, path: made.path + path, ...(body === undefined ? {} : { body }) }
      expect((await portal.ask({ ...call, as: sessions.soldAdmin })).status).toBe(404)
      for (const as of [sessions.viewer, sessions.staff, portal.operator]) {
        const headers = as === sessions.viewer ? {} : of
        expect((await portal.ask({ ...call, as, headers })).status).toBe(403)
      }
    }
    expect(
      (await get('/webhooks', sessions.staff, { 'x-organization-id': sold })).body.data,
    ).toEqual([])
    expect((await ask(made.path)).body.description).toBe('')
    await remove(made)
  })

  it('has cursors at each list', async () => {
    const made = await make()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      clock.advance(5)
      ids.push(await test(made))
    }
    for (const id of ids) await untilState(made, id, 'delivered')
    for (const [list, key] of [
      ['messages?state=delivered&', 'id'],
      ['attempts?', 'messageId'],
    ] as const) {
      const seen: string[] = []
      let cursor: string | null = ''
      for (let page = 0; cursor !== null && page < 5; page += 1) {
        const from: string = cursor === '' ? '' : `&cursor=${cursor}`
        const { body } = await ask(`${made.path}/${list}limit=2${from}`)
        seen.push(...body.data.map((row: Record<string, string>) => row[key]))
        cursor = body.nextCursor
      }
      expect(seen.sort()).toEqual([...ids].sort())
    }
    await remove(made)
  })
})

describe('a message', () => {
  it('comes once, signed so that a receiver knows it by id, time and body', async () => {
    const made = await make()
    const id = await test(made)
    await untilState(made, id, 'delivered', 1)
    const [came, ...more] = cameFor(id)
    if (came === undefined) throw new Error('nothing came')
    expect(more).toEqual([])
    const body = verify(came, made.secret, clock.nowMs())
    expect(webhookBodyOf('webhook.test').parse(body)).toMatchObject({
      data: { organizationId: world.direct, webhookId: made.id },
    })
    expect([came.method, came.path]).toEqual(['POST', '/hook'])
    expect(came.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Logeye-Webhooks/1',
    })
    expect((await ask(`${made.path}/messages/${id}`)).body.body).toBe(came.body)
    // Another reading of the signature than that of the package.
    const { 'webhook-timestamp': at } = came.headers
    const key = Buffer.from(made.secret.slice('whsec_'.length), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${at}.${came.body}`).digest('base64')
    expect(came.headers['webhook-signature']).toBe(`v1,${mac}`)
    for (const changed of [
      { headers: { ...came.headers, 'webhook-id': 'msg_other' } },
      { headers: { ...came.headers, 'webhook-timestamp': String(Number(at) + 1) } },
      { body: came.body.replace('webhook.test', 'offer.sent') },
    ])
      expect(() => verify({ ...came, ...changed }, made.secret, clock.nowMs())).toThrow(
        'No matching signature',
      )
    const [attempt] = await attemptsOf(made, id)
    expect(attempt).toMatchObject({ messageId: id, status: 204, failure: null, answer: '' })
    await remove(made)
  })

  it('is tried again after longer and longer pauses, with the same id', async () => {
    const made = await make()
    receiver.answer = (response) => response.writeHead(500).end('not today')
    const id = await test(made)
    for (const [tries, pauseMs] of [5000, 300_000, 1_800_000].entries()) {
      await untilState(made, id, 'pending', tries + 1)
      const { nextAttemptAt } = await messageOf(made, id)
      const [last] = await attemptsOf(made, id)
      expect(last).toMatchObject({
        ...{ status: 500, answer: 'not today', failure: 'it answers with the status 500' },
      })
      const waits = Date.parse(nextAttemptAt) - Date.parse(last.at)
      expect(waits).toBeGreaterThanOrEqual(0.9 * pauseMs)
      expect(waits).toBeLessThanOrEqual(1.1 * pauseMs + 10_000)
      expect(cameFor(id)).toHaveLength(tries + 1)
      clock.advance(1.1 * pauseMs)
    }
    receiver.answer = (response) => response.writeHead(200).end()
    await untilState(made, id, 'delivered', 4)
    expect(new Set(cameFor(id).map(({ body }) => body)).size).toBe(1)
    const stamps = cameFor(id).map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(new Set(stamps).size).toBe(4)
    await remove(made)
  })

  it('waits as long as a busy receiver asks for', async () => {
    const made = await make()
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '7200' }).end()
    const id = await test(made)
    await untilState(made, id, 'pending', 1)
    const { nextAttemptAt } = await messageOf(made, id)
    expect(Date.parse(nextAttemptAt) - clock.nowMs()).toBeGreaterThan(HOUR_MS)
    await remove(made)
  })

  it('is given up after about three days, and the webhook is disabled', async () => {
    const made = await make()
    receiver.answer = (response) => response.writeHead(503).end()
    const begun = clock.nowMs()
    const id = await test(made)
    for (let tries = 1; tries <= 9; tries += 1) {
      await untilState(made, id, 'pending', tries)
      clock.advance(Date.parse((await messageOf(made, id)).nextAttemptAt) - clock.nowMs())
    }
    await untilState(made, id, 'failed', 10)
    const days = (clock.nowMs() - begun) / DAY_MS
    expect(days).toBeGreaterThan(2.7)
    expect(days).toBeLessThan(3.6)
    const { body: webhook } = await ask(made.path)
    expect(webhook).toMatchObject({ isEnabled: false, disabledBy: 'failing' })
    const { body: audit } = await ask('/audit')
    expect(audit.data).toContainEqual(
      expect.objectContaining({
        ...{ caller: 'portal', action: 'disableWebhook', target: made.id, result: 'failing' },
      }),
    )
    const refused = await post(`${made.path}/test`)
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook_disabled'])
    await remove(made)
  })

  it('ends with the receiver that says 410, whose others are skipped and can be replayed', async () => {
    const made = await make()
    receiver.answer = (response) => response.writeHead(500).end()
    const waiting = await test(made)
    await untilState(made, waiting, 'pending', 1)
    receiver.answer = (response) => response.writeHead(410).end()
    const begun = new Date(clock.nowMs() - DAY_MS).toISOString()
    const id = await test(made)
    await untilState(made, id, 'failed', 1)
    expect((await ask(made.path)).body.disabledBy).toBe('gone')
    const states = [await messageOf(made, id), await messageOf(made, waiting)]
    expect(states.map(({ state }) => state)).toEqual(['failed', 'skipped'])
    receiver.answer = (response) => response.writeHead(200).end()
    const replay = { since: begun }
    expect((await ask(`${made.path}/replay`, replay)).status).toBe(409)
    const enabled = await ask(made.path, { isEnabled: true }, { method: 'PATCH' })
    expect(enabled.body).toMatchObject({ isEnabled: true, disabledBy: null })
    const { body: replayed } = await ask(`${made.path}/replay`, replay)
    expect(replayed.count).toBe(2)
    await untilState(made, id, 'delivered')
    await untilState(made, waiting, 'delivered')
    const nothing = await ask(`${made.path}/replay`, replay)
    expect(nothing.body.count).toBe(0)
    // One that was delivered may be wanted once more.
    const before = cameFor(id).length
    expect((await post(`${made.path}/messages/${id}/replay`)).status).toBe(202)
    await untilState(made, id, 'delivered', 1)
    expect(cameFor(id)).toHaveLength(before + 1)
    await remove(made)
  })
})

describe('the secret', () => {
  it('is shown once and kept sealed', async () => {
    const made = await make()
    expect(made.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
    expect((await ask('/webhooks')).text).not.toContain(made.secret)
    for (const table of ['webhooks', 'idempotent_answers'] as const) {
      const rows = await portal.database.read.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(made.secret.slice(6))
    }
    await remove(made)
  })

  it('is replaced with an overlap in which both sign', async () => {
    const made = await make()
    const rotate = (body: object) => ask(`${made.path}/secret`, body)
    const next = await rotate({ overlapSeconds: 3600 })
    expect(next.body.webhook.oldSecretsEndAt).not.toBeNull()
    const signatures = async () => {
      const id = await test(made)
      await untilState(made, id, 'delivered')
      const [came] = cameFor(id)
      if (came === undefined) throw new Error('nothing came')
      const of = came.headers['webhook-signature'] ?? ''
      const at = `${id}.${came.headers['webhook-timestamp']}.${came.body}`
      return (secret: string) => {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
        return of.split(' ').includes(`v1,${createHmac('sha256', key).update(at).digest('base64')}`)
      }
    }
    const both = await signatures()
    expect([both(made.secret), both(next.body.secret)]).toEqual([true, true])
    clock.advance(HOUR_MS)
    const one = await signatures()
    expect([one(made.secret), one(next.body.secret)]).toEqual([false, true])
    for (let count = 0; count < 3; count += 1) expect((await rotate({})).status).toBe(201)
    expect((await rotate({})).body.code).toBe('too_many')
    const last = await rotate({ overlapSeconds: 0 })
    const only = await signatures()
    expect([only(next.body.secret), only(last.body.secret)]).toEqual([false, true])
    await remove(made)
  })
})

describe('a disabled webhook', () => {
  it('is sent nothing, and what happened meanwhile can be replayed', async () => {
    const made = await make(['credits.granted'], { isEnabled: false })
    const as = portal.operator
    const headers = { 'x-organization-id': world.direct }
    const given = { amount: '10', source: 'gift' }
    await portal.ask({ path: '/credits/grants', as, headers, body: given })
    const { body: page } = await ask(`${made.path}/messages?state=skipped`)
    expect(page.data).toMatchObject([{ type: 'credits.granted', tries: 0, nextAttemptAt: null }])
    clock.advance(10_000)
    await ask(made.path, { isEnabled: true }, { method: 'PATCH' })
    expect(receiver.idsOf('credits.granted')).toEqual([])
    const since = new Date(clock.nowMs() - HOUR_MS).toISOString()
    expect((await ask(`${made.path}/replay`, { since })).body.count).toBe(1)
    await untilState(made, page.data[0].id, 'delivered')
    expect(receiver.idsOf('credits.granted')).toEqual([page.data[0].id])
    await remove(made)
  })

  it('takes back what waits when it is disabled', async () => {
    const made = await make()
    receiver.answer = (response) => response.writeHead(500).end()
    const id = await test(made)
    await untilState(made, id, 'pending', 1)
    await ask(made.path, { isEnabled: false }, { method: 'PATCH' })
    expect((await messageOf(made, id)).state).toBe('skipped')
    expect((await ask(made.path)).body.disabledBy).toBe('person')
    await remove(made)
    expect((await ask(made.path)).status).toBe(404)
    const rows = await portal.database.read
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('webhook_id', '=', made.id)
      .execute()
    expect(rows).toEqual([])
  })
})

describe('old messages', () => {
  it('are forgotten after a month', async () => {
    const made = await make()
    const id = await test(made)
    await untilState(made, id, 'delivered')
    const count = async () => {
      const events = portal.database.read.selectFrom('webhook_events').select('id')
      const attempts = portal.database.read.selectFrom('webhook_attempts').select('event_id')
      const messages = portal.database.read.selectFrom('webhook_messages').select('event_id')
      const of = [
        await events.where('id', '=', id).execute(),
        await attempts.where('event_id', '=', id).execute(),
        await messages.where('event_id', '=', id).execute(),
      ]
      return of.flat().length
    }
    expect(await count()).toBe(3)
    await letPass(portal, clock, 31 * DAY_MS)
    expect(await count()).toBe(0)
  })
})
