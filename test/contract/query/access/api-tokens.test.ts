// API tokens (docs/decisions/0045): what one opens, for how long, and what it never does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../../../infra/clock.ts'
import { openMetastore } from '../../../../infra/metastore/open.ts'
import { openTestApp, readState, SEARCH_PATH } from '../../../support/apps/query-app.ts'
import { askSdk, basic, bearer, textOf } from '../../../support/clients/access-client.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../../support/database/query-database.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'
import { SOON } from '../../../support/run/patience.ts'
import { testClock } from '../../../support/run/test-clock.ts'
import { waitUntil } from '../../../support/run/wait-until.ts'
import { makeFailingStore } from '../../../support/store/failing-store.ts'

const DAY_MS = 86_400_000
let db: QueryDatabase
let other: Awaited<ReturnType<typeof openMetastore>>
let app: ReturnType<typeof openTestApp>
let elsewhere: ReturnType<typeof openTestApp>
let aheadMs = 0
const clock: Clock = { ...testClock, nowMs: () => testClock.nowMs() + aheadMs }
const store = makeFailingStore(() => [])
const READS = ['/logeye/restapi/userPermissions', '/logeye/api/search/catalog', SEARCH_PATH]

beforeAll(async () => {
  db = await openQueryDatabase()
  await db.addUser('reader', 'reader password')
  other = await openMetastore({ database: db.database, logger: silentLogger, clock: testClock })
  app = openTestApp(db, store, { clock })
  elsewhere = openTestApp({ ...db, metastore: other }, store, { clock })
})
afterAll(async () => {
  await other.close()
  await db.close()
})

const admin = () => basic('admin', db.adminPassword)
const reader = () => basic('reader', 'reader password')
const add = async (name: string, headers: Record<string, string>, more = {}) =>
  textOf(await askSdk(app, 'apiToken', { action: 'add', name, ...more }, headers), 'token')
/** A read of settings, which needs system.settings. */
const settings = async (headers: Record<string, string>, of = app) =>
  (await askSdk(of, 'settings', { list: 'true' }, headers)).status
/** Whether the call passes the sign-in, by what a search without a query says. */
const signsIn = async (token: string, of = app, address = '10.0.0.1') =>
  (await of.call(`${SEARCH_PATH}?apiToken=${token}`, {}, address)).status !== 401

describe('an API token', () => {
  it('opens every read in the header and as a parameter, and the SDK in the header', async () => {
    const token = await add('both', admin())
    expect(token).toMatch(/^tok_[0-9A-Za-z]{49}$/)
    for (const path of READS) {
      const plain = (await app.call(path)).status
      const inHeader = (await app.call(path, { headers: bearer(token) })).status
      const asParameter = (await app.call(`${path}?apiToken=${token}`)).status
      expect({ path, plain, isSame: inHeader === asParameter }).toMatchObject({ isSame: true })
      expect([path, inHeader]).not.toEqual([path, 401])
    }
    expect(await settings(bearer(token))).toBe(200)
    const inAddress = await app.call(`/logeye/sdk/settings?apiToken=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"list":"true"}',
    })
    expect(inAddress.status).toBe(401)
  })

  it('may do what its policy and its user may do', async () => {
    const narrow = await add('narrow', admin(), { policy: 'view only' })
    expect([await settings(bearer(narrow)), await signsIn(narrow)]).toEqual([403, true])
    // A policy never gives more than the user has.
    const wide = await add('wide', reader(), { policy: 'administrators' })
    expect([await settings(bearer(wide)), await signsIn(wide)]).toEqual([403, true])
    const told = await askSdk(app, 'apiToken', { action: 'list' }, admin())
    expect(told.response).toMatchObject({
      tokens: [
        { name: 'both', policy: null },
        { name: 'narrow', policy: 'view only' },
      ],
    })
    expect(JSON.stringify(told.response)).not.toContain(narrow)
    expect(JSON.stringify(told.response)).toContain(narrow.slice(-4))
  })

  it('never makes tokens or passwords, not even of an administrator', async () => {
    const token = bearer(await add('maker', admin()))
    const refused = { status: 403, error: expect.stringContaining('a token may not do this') }
    expect(await askSdk(app, 'apiToken', { action: 'add', name: 'x' }, token)).toMatchObject(
      refused,
    )
    expect(await askSdk(app, 'apiToken', { action: 'list' }, token)).toMatchObject(refused)
    const password = { action: 'edit', userName: 'reader', userPassword: 'another one' }
    expect(await askSdk(app, 'securityUsers', password, token)).toMatchObject(refused)
    const name = { action: 'edit', userName: 'reader', displayName: 'Reader' }
    expect(await askSdk(app, 'securityUsers', name, token)).toMatchObject({ status: 200 })
  })

  it('ends at its end', async () => {
    const token = await add('short', reader(), { ends: '2' })
    aheadMs = 2 * DAY_MS - 60_000
    expect(await signsIn(token)).toBe(true)
    aheadMs = 2 * DAY_MS + 1
    expect(await signsIn(token)).toBe(false)
    aheadMs = 0
    for (const ends of ['0', '3651', '2020-01-01', '2030-02-30', 'soon', '-1']) {
      const told = await askSdk(app, 'apiToken', { action: 'add', name: 'y', ends }, reader())
      expect([ends, told.status]).toEqual([ends, 400])
    }
  })

  it('is refused at once in this process and soon in every other', async () => {
    const token = await add('gone', reader())
    await expect.poll(() => signsIn(token, elsewhere), SOON).toBe(true)
    await askSdk(app, 'apiToken', { action: 'remove', name: 'GONE' }, reader())
    expect(await signsIn(token)).toBe(false)
    await expect.poll(() => signsIn(token, elsewhere), SOON).toBe(false)
  })

  it('is dead with its user: disabled, and removed for ever', async () => {
    await db.addUser('leaver', 'leaver password')
    const token = await add('his', basic('leaver', 'leaver password'))
    const edit = (enabled: string) =>
      askSdk(app, 'securityUsers', { action: 'edit', userName: 'leaver', enabled }, admin())
    await edit('false')
    expect([await signsIn(token), await signsIn(token, elsewhere)]).toEqual([false, false])
    await edit('true')
    expect([await signsIn(token), await signsIn(token, elsewhere)]).toEqual([true, true])
    await askSdk(app, 'securityUsers', { action: 'remove', userName: 'leaver' }, admin())
    await db.addUser('leaver', 'leaver password')
    expect([await signsIn(token), await signsIn(token, elsewhere)]).toEqual([false, false])
  })

  it('is seen and removed by an administrator, and by no other user', async () => {
    const token = await add('watched', reader())
    const named = { action: 'list', userName: 'reader' }
    const told = await askSdk(app, 'apiToken', named, admin())
    expect(JSON.stringify(told.response)).toContain('watched')
    const admins = await askSdk(app, 'apiToken', { ...named, userName: 'admin' }, reader())
    expect(admins.status).toBe(403)
    const remove = { action: 'remove', userName: 'reader', name: 'watched' }
    expect(await askSdk(app, 'apiToken', remove, admin())).toMatchObject({ status: 200 })
    expect(await signsIn(token)).toBe(false)
    const again = await askSdk(app, 'apiToken', remove, admin())
    expect(again).toMatchObject({ status: 404, error: 'there is no token watched' })
  })

  it('does not wait for wrong ones, which are slowed by address', async () => {
    const token = await add('quick', reader())
    const wrong = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
    const standing = makeManualClock(clock.nowMs())
    const slowing = openTestApp(db, store, { clock: standing })
    const from = (one: string) => signsIn(one, slowing, '10.7.7.7')
    let answered = 0
    const guesses = Array.from({ length: 12 }, async () => {
      const isIn = await from(wrong)
      answered += 1
      return isIn
    })
    await waitUntil('guesses are refused', async () =>
      /logeye_sign_ins_total\{outcome="slowed".*\} [1-9]/.test(await slowing.metrics.text()),
    )
    expect(await from(token)).toBe(true)
    // The others wait for their turns, for which the clock has to run.
    expect(answered).toBeLessThan(guesses.length)
    standing.advance(60_000)
    expect(await Promise.all(guesses)).toEqual(guesses.map(() => false))
  })

  it('is kept as a hash, and stands in no row of the audit log', async () => {
    const token = await add('kept', reader())
    await signsIn(token)
    const tables = ['api_tokens', 'audit'] as const
    const rows = await Promise.all(
      tables.map((table) => db.database.read.selectFrom(table).selectAll().execute()),
    )
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 40))
  })

  it('is made for nobody while security is off', async () => {
    await askSdk(app, 'settings', { security: 'false' }, admin())
    const told = await askSdk(app, 'apiToken', { action: 'add', name: 'x' }, {})
    expect(told).toMatchObject({ status: 409, error: expect.stringContaining('security is off') })
    await askSdk(app, 'settings', { security: 'true' }, {})
  })

  it('is refused in the shape of the surface', async () => {
    const answer = await app.call(`${SEARCH_PATH}?apiToken=tok_x`)
    expect(await readState(answer)).toBe('401 Fail [1] 1: sign-in failed')
  })
})
