// Sessions of browsers (docs/decisions/0045): what they open, what they do not, how they end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../../../infra/clock.ts'
import { openMetastore } from '../../../../infra/metastore/open.ts'
import { openTestApp, SEARCH_PATH } from '../../../support/apps/query-app.ts'
import { askSdk, basic, bearer, signInAs, textOf } from '../../../support/clients/access-client.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../../support/database/query-database.ts'
import { testClock } from '../../../support/run/test-clock.ts'
import { makeFailingStore } from '../../../support/store/failing-store.ts'

const HOUR_MS = 3_600_000
let db: QueryDatabase
let other: Awaited<ReturnType<typeof openMetastore>>
let app: ReturnType<typeof openTestApp>
let elsewhere: ReturnType<typeof openTestApp>
let aheadMs = 0
const clock: Clock = { ...testClock, nowMs: () => testClock.nowMs() + aheadMs }
const store = makeFailingStore(() => [])

beforeAll(async () => {
  db = await openQueryDatabase(clock)
  const { database } = db
  other = await openMetastore({ database, logger: silentLogger, clock })
  app = openTestApp(db, store, { clock })
  elsewhere = openTestApp({ ...db, metastore: other }, store, { clock })
})
afterAll(async () => {
  await other.close()
  await db.close()
})

const PASSWORD = 'a good password'
async function begin(user: string) {
  await db.addUser(user, PASSWORD)
  return await again(user)
}
const again = (user: string, password = PASSWORD) => signInAs(app, { user, password })
const who = async (headers: Record<string, string>, of = app) =>
  (await of.call('/logeye/session', { headers })).status
const list = (headers: Record<string, string>) =>
  askSdk(app, 'ownSessions', { action: 'list' }, headers)

describe('a session', () => {
  it('has a cookie for this product alone, which no script reads', async () => {
    const { setCookie, headers } = await begin('cook')
    expect(setCookie).toMatch(
      /^logeye_session=ses_[0-9A-Za-z]{49}; Expires=[^;]+ GMT; Path=\/logeye; HttpOnly; SameSite=Lax$/,
    )
    const secret = headers.cookie.split('=')[1] ?? ''
    const tables = ['sessions', 'audit'] as const
    const rows = await Promise.all(
      tables.map((table) => db.database.read.selectFrom(table).selectAll().execute()),
    )
    expect(JSON.stringify(rows)).not.toContain(secret)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ user: 'cook', password: PASSWORD })
    const request = new Request('https://localhost/logeye/session', { ...init, body })
    const answer = await app.app.fetch(request, { address: '10.0.0.1' })
    expect(answer.headers.get('set-cookie')).toMatch(/; SameSite=Lax; Secure$/)
  })

  it('opens every read here and in every other process', async () => {
    const { headers } = await begin('reader')
    for (const of of [app, elsewhere]) {
      expect(await who(headers, of)).toBe(200)
      const read = await of.call('/logeye/restapi/folders-and-logs-configuration', { headers })
      const search = await of.call(SEARCH_PATH, { headers })
      expect([read.status, search.status]).toEqual([200, 200])
    }
    const told = await app.call('/logeye/session', { headers })
    expect(await told.json()).toMatchObject({ response: { user: 'reader', operations: [] } })
  })

  it('writes with its CSRF token only', async () => {
    const { headers, csrf } = await begin('writer')
    const stranger = await begin('stranger')
    const refused = { status: 403, error: expect.stringContaining('X-CSRF-Token') }
    expect(await list(headers)).toMatchObject(refused)
    expect(await list({ ...headers, 'x-csrf-token': 'x' })).toMatchObject(refused)
    expect(await list({ ...headers, ...stranger.csrf })).toMatchObject(refused)
    expect(await list({ ...headers, ...csrf })).toMatchObject({ status: 200 })
    const end = await app.call('/logeye/session', { method: 'DELETE', headers })
    expect([end.status, await who(headers)]).toEqual([403, 200])
  })

  it('does nothing for a page of another site', async () => {
    const { headers } = await begin('visitor')
    const cross = { ...headers, 'sec-fetch-site': 'cross-site' }
    expect(await who(cross)).toBe(403)
    const form = { method: 'POST', body: new URLSearchParams({ user: 'visitor' }) }
    expect((await app.call('/logeye/session', form)).status).toBe(400)
  })

  it('ends when its user signs out, everywhere', async () => {
    const { headers, csrf } = await begin('goer')
    const init = { method: 'DELETE', headers: { ...headers, ...csrf } }
    const answer = await app.call('/logeye/session', init)
    expect(answer.headers.get('set-cookie')).toContain('logeye_session=; Max-Age=0; Path=/logeye')
    expect([await who(headers), await who(headers, elsewhere)]).toEqual([401, 401])
  })

  it('ends when it is not used, and after its hours however much it is', async () => {
    const { headers } = await begin('idler')
    aheadMs += 61 * 60_000
    expect(await who(headers)).toBe(401)
    const { headers: busy } = await again('idler')
    for (let at = 0; at < 14; at += 1) {
      aheadMs += 50 * 60_000
      expect([at, await who(busy)]).toEqual([at, 200])
    }
    aheadMs += 50 * 60_000
    expect(await who(busy)).toBe(401)
    expect(aheadMs).toBeGreaterThan(12 * HOUR_MS)
  })

  it('ends with the password, but for the one that changes it', async () => {
    const one = await begin('changer')
    const two = await again('changer')
    const made = await askSdk(
      app,
      'apiToken',
      { action: 'add', name: 'script' },
      { ...one.headers, ...one.csrf },
    )
    expect(await who(basic('changer', PASSWORD))).toBe(200)
    const change = { old: PASSWORD, new: 'another password' }
    const wrong = { ...change, old: 'wrong password' }
    const write = { ...one.headers, ...one.csrf }
    expect(await askSdk(app, 'ownPassword', wrong, write)).toMatchObject({
      ...{ status: 400, error: '-old: is not the password' },
    })
    expect(await askSdk(app, 'ownPassword', change, write)).toMatchObject({ status: 200 })
    expect([await who(one.headers), await who(two.headers)]).toEqual([200, 401])
    // What was remembered is forgotten at once, in every process.
    for (const of of [app, elsewhere]) {
      expect(await who(basic('changer', PASSWORD), of)).toBe(401)
      expect(await who(basic('changer', 'another password'), of)).toBe(200)
    }
    // Tokens have their own end.
    expect(await who(bearer(textOf(made, 'token')))).toBe(200)
  })

  it.each(['disabled', 'given a password', 'removed'])('ends when its user is %s', async (what) => {
    const name = `user ${what}`
    const { headers } = await begin(name)
    const edit = { action: 'edit', userName: name }
    const change = {
      disabled: { ...edit, enabled: 'false' },
      'given a password': { ...edit, userPassword: 'of the administrator' },
      removed: { ...edit, action: 'remove' },
    }[what]
    const admin = basic('admin', db.adminPassword)
    expect((await askSdk(app, 'securityUsers', change ?? {}, admin)).status).toBe(200)
    expect([await who(headers), await who(headers, elsewhere)]).toEqual([401, 401])
  })

  it('is listed for its user, and ended one by one or all others', async () => {
    const one = await begin('many')
    await again('many')
    const three = await again('many')
    const write = { ...one.headers, ...one.csrf }
    type Listed = { sessions: { id: string; isThis: boolean }[] }
    const { sessions } = (await list(write)).response as Listed
    expect(sessions.map(({ isThis }) => isThis).sort()).toEqual([false, false, true])
    const id = sessions.find(({ isThis }) => !isThis)?.id ?? ''
    await askSdk(app, 'ownSessions', { action: 'end', id }, write)
    await askSdk(app, 'ownSessions', { action: 'endOthers' }, write)
    expect([await who(one.headers), await who(three.headers)]).toEqual([200, 401])
    const stranger = { ...basic('reader', PASSWORD) }
    const foreign = { action: 'end', id: sessions.find(({ isThis }) => isThis)?.id ?? '' }
    expect((await askSdk(app, 'ownSessions', foreign, stranger)).status).toBe(404)
  })

  it('begins for nobody while security is off', async () => {
    const admin = basic('admin', db.adminPassword)
    await askSdk(app, 'settings', { security: 'false' }, admin)
    expect((await signInAs(app, { user: 'admin', password: db.adminPassword })).status).toBe(409)
    await askSdk(app, 'settings', { security: 'true' }, {})
  })
})
