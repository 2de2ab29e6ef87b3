// The pages' addresses and loadSearchModel.jsp (docs/decisions/0072).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addApiToken } from '../../../../infra/metastore/access/api-tokens.ts'
import { openTestApp } from '../../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../../support/database/query-database.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'
import { testClock } from '../../../support/run/test-clock.ts'
import { makeFailingStore } from '../../../support/store/failing-store.ts'

const PATH = '/logeye/search/view/loadSearchModel.jsp'
let db: QueryDatabase
const store = makeFailingStore(() => [])

beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

describe('loadSearchModel.jsp', () => {
  const load = (fields: Readonly<Record<string, string>>, init?: RequestInit) =>
    openTestApp(db, store).call(`${PATH}?${new URLSearchParams(fields)}`, init)

  it('makes a session of the credentials, which leave the address', async () => {
    const { asAdmin, call } = openTestApp(db, store)
    const answer = await load({
      ...asAdmin,
      searchQuery: 'a "b" | count',
      startTimeFullStr: '11/16/2026 08:00:00',
      endTimeFullStr: '11/16/2026 09:00:00',
    })
    expect(answer.status).toBe(303)
    const target = new URL(answer.headers.get('location') ?? '', 'http://localhost')
    expect([target.pathname, Object.fromEntries(target.searchParams)]).toEqual([
      '/logeye/',
      {
        query: 'a "b" | count',
        start: expect.stringMatching(/:00:00\.000Z$/),
        end: expect.stringMatching(/:00:01\.000Z$/),
      },
    ])
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    const who = await call('/logeye/session', { headers: { cookie } })
    expect(await who.json()).toMatchObject({ response: { user: 'admin' } })
  })

  it('leads who brings nothing to the console without a session', async () => {
    const answer = await load({ searchQuery: 'x', fixedInterval: 'allData' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/logeye/?query=x&interval=allData')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it.each([
    ['a wrong password', { autoLogin: 'true', username: 'admin', password: 'wrong' }],
    ['a user that is not there', { autoLogin: 'true', username: 'nobody', password: 'wrong' }],
    ['a wrong token', { apiToken: 'tok_wrong' }],
  ])('answers %s with 401, no session, and nothing that leads on', async (_, credentials) => {
    const answer = await load({ ...credentials, searchQuery: 'x' })
    expect(answer.status).toBe(401)
    for (const name of ['location', 'set-cookie', 'www-authenticate', 'etag'])
      expect([name, answer.headers.get(name)]).toEqual([name, null])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).not.toContain('wrong')
  })

  it('answers a wrong password with 401 although there is a session', async () => {
    const { asAdmin } = openTestApp(db, store)
    const signedIn = await load({ ...asAdmin })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const wrong = { autoLogin: 'true', username: 'admin', password: 'wrong' }
    expect((await load(wrong, { headers: { cookie } })).status).toBe(401)
    const goesOn = await load({ searchQuery: 'x' }, { headers: { cookie } })
    expect(goesOn.status).toBe(303)
    expect(goesOn.headers.get('set-cookie')).toBeNull()
  })

  describe('in a browser where somebody has signed in', () => {
    const password = 'her own password'
    const ann = { autoLogin: 'true', username: 'ann', password }
    const cookiesOf = (answer: Response) =>
      Object.fromEntries(
        answer.headers.getSetCookie().map((one) => {
          const [pair = ''] = one.split(';')
          return [pair.slice(0, pair.indexOf('=')), pair]
        }),
      )
    let app: ReturnType<typeof openTestApp>
    /** The admin's. */
    let session = ''
    beforeAll(() => db.addUser('ann', password).then(() => undefined))
    beforeEach(async () => {
      app = openTestApp(db, store)
      session = cookiesOf(await load({ ...app.asAdmin })).logeye_session ?? ''
    })
    const ask = (path: string, cookie: string, init: RequestInit = {}) =>
      app.call(path, { ...init, headers: { cookie, ...init.headers } })
    const responseOf = async (answer: Response) => JSON.parse(await answer.text()).response
    const who = async (cookie: string) => {
      const answer = await ask('/logeye/session', cookie)
      return answer.status === 200 ? await responseOf(answer) : answer.status
    }
    const open = (fields: Readonly<Record<string, string>>, cookie = session) =>
      app.call(`${PATH}?${new URLSearchParams(fields)}`, { headers: { cookie } })
    const swap = async (cookie: string, csrf: string, method = 'POST') =>
      await ask('/logeye/session/next', cookie, {
        ...{ method, body: '{}' },
        headers: { 'x-csrf-token': csrf, 'content-type': 'application/json' },
      })

    it('asks before a link replaces the session', async () => {
      const answer = await open({ ...ann, searchQuery: 'x', fixedInterval: 'allData' })
      expect(answer.status).toBe(303)
      const location = '/logeye/?query=x&interval=allData&asked=session'
      expect(answer.headers.get('location')).toBe(location)
      const cookies = cookiesOf(answer)
      expect(Object.keys(cookies)).toEqual(['logeye_next_session'])
      expect(answer.headers.get('set-cookie')).toMatch(
        /; Max-Age=300; Path=\/logeye\/session\/next; HttpOnly; SameSite=Strict$/,
      )
      expect(await who(session)).toMatchObject({ user: 'admin' })
      const both = `${session}; ${cookies.logeye_next_session}`
      const waiting = await ask('/logeye/session/next', both)
      expect(await responseOf(waiting)).toEqual({ user: 'ann', displayName: 'ann' })
      const { csrfToken } = await who(session)
      expect((await swap(both, 'forged')).status).toBe(403)
      const swapped = await swap(both, csrfToken)
      expect(await responseOf(swapped)).toMatchObject({ user: 'ann' })
      const now = cookiesOf(swapped)
      expect(now.logeye_next_session).toBe('logeye_next_session=')
      expect(await who(now.logeye_session ?? '')).toMatchObject({ user: 'ann' })
      // The previous session is closed.
      expect(await who(session)).toBe(401)
    })

    it('lets the user stay', async () => {
      const sealed = cookiesOf(await open(ann)).logeye_next_session
      const { csrfToken } = await who(session)
      const stayed = await swap(`${session}; ${sealed}`, csrfToken, 'DELETE')
      expect(cookiesOf(stayed).logeye_next_session).toBe('logeye_next_session=')
      expect((await ask('/logeye/session/next', session)).status).toBe(404)
      expect(await who(session)).toMatchObject({ user: 'admin' })
    })

    it('opens nothing to another session, to nobody, and later', async () => {
      const sealed = cookiesOf(await open(ann)).logeye_next_session
      const other = cookiesOf(await load({ ...app.asAdmin })).logeye_session ?? ''
      const { csrfToken } = await who(other)
      expect((await swap(`${other}; ${sealed}`, csrfToken)).status).toBe(404)
      expect((await ask('/logeye/session/next', String(sealed))).status).toBe(401)
      expect(await who(other)).toMatchObject({ user: 'admin' })
      const clock = makeManualClock(testClock.nowMs())
      const later = openTestApp(db, store, { clock })
      const both = { headers: { cookie: `${session}; ${sealed}` } }
      clock.advance(299_000)
      expect((await later.call('/logeye/session/next', both)).status).toBe(200)
      clock.advance(2000)
      expect((await later.call('/logeye/session/next', both)).status).toBe(404)
    })

    it('goes on with the session of the same user', async () => {
      const answer = await open({ ...app.asAdmin, searchQuery: 'x' })
      expect(answer.headers.get('location')).not.toContain('asked')
      expect(answer.headers.getSetCookie()).toEqual([])
    })

    it('makes no session of a token, which it would outlive', async () => {
      const user = await db.metastore.users.find('ann')
      const token = await db.database.write((transaction) =>
        addApiToken(transaction, testClock, {
          ...{ userId: user?.id ?? 0, name: 'link', policy: undefined },
          endsMs: testClock.nowMs() + 60_000,
        }),
      )
      for (const cookie of ['', session]) {
        const answer = await open({ apiToken: token, searchQuery: 'x' }, cookie)
        expect(answer.status).toBe(303)
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    })
  })

  it('does not count credentials without autoLogin', async () => {
    const answer = await load({ username: 'admin', password: 'wrong', searchQuery: 'x' })
    expect(answer.headers.get('location')).toBe('/logeye/?query=x&interval=last24Hours')
    expect(answer.status).toBe(303)
  })

  it('hands on a query that cannot be read, for the console to tell of', async () => {
    const { asAdmin } = openTestApp(db, store)
    const answer = await load({ ...asAdmin, searchQuery: '(a "', fixedInterval: 'currentDay' })
    expect(answer.status).toBe(303)
    const target = new URL(answer.headers.get('location') ?? '', 'http://localhost')
    expect(target.searchParams.get('query')).toBe('(a "')
    expect(target.searchParams.get('interval')).toBe('currentDay')
  })

  it.each([
    'https://evil.example',
    '//evil.example/',
    '/\\evil.example',
    '\r\nlocation: https://evil.example',
  ])('leads nowhere else for %j', async (text) => {
    const names = ['searchQuery', 'timeZone', 'startTimeFullStr', 'endTimeFullStr', 'fixedInterval']
    const others = ['url', 'redirect', 'returnTo', 'next', 'location']
    const answer = await load(Object.fromEntries([...names, ...others].map((name) => [name, text])))
    expect(answer.headers.get('location')).toMatch(/^\/logeye\/\?[^\r\n]*$/)
    const origin = 'http://localhost'
    const target = new URL(answer.headers.get('location') ?? '', origin)
    expect([target.origin, target.pathname]).toEqual([origin, '/logeye/'])
  })

  it.each([
    [{ startTimeFullStr: '2026-11-16T08:00:00Z' }, { start: '2026-11-16T08:00:00.000Z' }],
    [{ endTimeFullStr: '2026-11-16T08:00:00Z' }, { end: '2026-11-16T08:00:01.000Z' }],
    [
      { fixedInterval: 'allData', startTimeFullStr: '2026-11-16T08:00:00Z' },
      { interval: 'allData', start: '2026-11-16T08:00:00.000Z' },
    ],
  ])('hands on times that do not go together: %j', async (given, handed) => {
    const answer = await load({ searchQuery: 'x', ...given })
    const target = new URL(answer.headers.get('location') ?? '', 'http://localhost')
    expect(Object.fromEntries(target.searchParams)).toEqual({ query: 'x', ...handed })
  })

  it('never leads elsewhere, and hands on times that it cannot read', async () => {
    const answer = await load({
      searchQuery: '//evil.example',
      startTimeFullStr: 'soon',
      url: 'https://evil.example',
    })
    expect(answer.headers.get('location')).toBe('/logeye/?query=%2F%2Fevil.example&start=soon')
  })
})

describe('an address that leads nowhere', () => {
  const ask = (path: string, accept: string) =>
    openTestApp(db, store).call(path, { headers: { accept } })

  it('is the page for a browser, which says so and has the ways out', async () => {
    const answer = await ask('/logeye/nowhere/at/all', 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('etag')).toBeNull()
  })

  it.each([
    ['/logeye/nowhere', 'application/json'],
    ['/logeye/nowhere', '*/*'],
    ['/elsewhere', 'text/html'],
  ])('is an answer for programs of %s for %s', async (path, accept) => {
    const answer = await ask(path, accept)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ success: false, httpStatusCode: 404 })
  })
})

describe('how one signs in', () => {
  it('is told to everybody', async () => {
    const answer = await openTestApp(db, store).call('/logeye/session/ways')
    expect(await answer.json()).toMatchObject({
      response: { isSecurityOn: true, hasProvider: false, version: '1.2.3', licenseWarning: null },
    })
  })

  it('challenges scripts without the window of the browser', async () => {
    const { call } = openTestApp(db, store)
    const challenge = async (headers: Record<string, string>) =>
      (await call('/logeye/session', { headers })).headers.get('www-authenticate')
    expect(await challenge({})).toMatch(/^Basic /)
    expect(await challenge({ 'sec-fetch-mode': 'cors' })).toMatch(/^Session /)
  })
})
