import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { START_PAGE_POLICY } from '../../../query/pages/start-page.ts'
import { openTestApp, readState, SEARCH_PATH } from '../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

let db: QueryDatabase
const store = makeFailingStore(() => [])

beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

describe('every answer of the query app', () => {
  it.each([
    ['GET', '/logeye/root.html', 200],
    ['HEAD', '/logeye/root.html', 200],
    ['GET', '/', 302],
    ['GET', '/logeye', 302],
    ['GET', '/logeye/restapi/version', 200],
    ['POST', '/logeye/restapi/version', 405],
    ['DELETE', SEARCH_PATH, 405],
    ['GET', SEARCH_PATH, 401],
    ['GET', '/logeye/nothing', 404],
    ['GET', '/logeye/view/api/%2e%2e/%00', 404],
    ['PATCH', '/elsewhere', 404],
  ])('%s %s is %i and is not kept, sniffed or told to others', async (method, path, status) => {
    const answer = await openTestApp(db, store).call(path, { method })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('is the envelope for paths and methods that are not there', async () => {
    const { call } = openTestApp(db, store)
    const missing = await call('/logeye/nothing')
    expect(await missing.json()).toEqual({
      success: false,
      errorMessage: 'not found',
      response: null,
      httpStatusCode: 404,
    })
    const refused = await call(SEARCH_PATH, { method: 'PUT' })
    expect(refused.headers.get('allow')).toBe('GET, POST')
    expect(await refused.json()).toMatchObject({ success: false, httpStatusCode: 405 })
  })

  it('tells the version', async () => {
    const answer = await openTestApp(db, store).call('/logeye/restapi/version')
    expect(await answer.json()).toEqual({
      success: true,
      errorMessage: null,
      response: { name: 'logeye', version: '1.2.3' },
      httpStatusCode: 200,
    })
  })
})

describe('the start page', () => {
  it('loads nothing from elsewhere, runs no script and allows only its own style', async () => {
    const answer = await openTestApp(db, store).call('/logeye/root.html')
    const html = await answer.text()
    expect(answer.headers.get('content-security-policy')).toBe(START_PAGE_POLICY)
    expect(START_PAGE_POLICY).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='/)
    expect(html).not.toMatch(/<script|<img|<link|\bsrc=|\bon\w+=|style="|@import|url\(/)
    expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([
      '/logeye/health/ready',
      '/logeye/health/live',
      '/logeye/restapi/version',
    ])
    expect(html).toContain('http://localhost:30303/logeye/api/logger.jsp?token=TOKEN')
  })
})

describe('the search call before it searches', () => {
  it('fails sign-in with 401, the same document and a way to sign in', async () => {
    const { search } = openTestApp(db, store)
    const wrong = { autoLogin: 'true', username: 'admin', password: 'wrong' }
    const answer = await search({ searchQuery: '*' }, wrong)
    expect(answer.headers.get('www-authenticate')).toContain('Basic realm="logeye"')
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(await readState(answer)).toBe('401 Fail [1] 1: sign-in failed')
    expect(await readState(await search({ searchQuery: '*' }, {}))).toBe(
      '401 Fail [1] 1: sign-in failed',
    )
  })

  it('looks at the parameters only after sign-in', async () => {
    const { search, asAdmin } = openTestApp(db, store)
    expect(await readState(await search({ timeout: 'x' }, {}))).toContain('401')
    expect(await readState(await search({ timeout: 'x', searchQuery: '*' }, asAdmin))).toBe(
      '200 Fail [1] 1: timeout: must be a whole number',
    )
  })

  it('takes the same call as a form, also split over address and body', async () => {
    const { call, asAdmin } = openTestApp(db, store)
    const post = async (address: string, fields: Record<string, string>) =>
      readState(
        await call(`${SEARCH_PATH}${address}`, {
          method: 'POST',
          body: new URLSearchParams(fields),
        }),
      )
    const wrong = { resultFormat: 'nope', searchQuery: '*', ...asAdmin }
    const expected = '200 Fail [1] 1: resultFormat: must be xml, csv, json or csv-plain'
    expect(await post('', { widgetId: 'searchAPI', ...wrong })).toBe(expected)
    expect(await post('?widgetId=searchAPI', wrong)).toBe(expected)
    expect(await post('?widgetId=searchAPI&searchQuery=a', wrong)).toBe(
      '200 Fail [1] 1: searchQuery: given more than once',
    )
  })

  it.each(['%', '%zz', '%ff%fe', '%00', '%ed%a0%80', '&&==&'])(
    'takes any bytes as the query: %s',
    async (query) => {
      const { call, asAdmin } = openTestApp(db, store)
      const user = new URLSearchParams(asAdmin)
      const address = `${SEARCH_PATH}?widgetId=searchAPI&searchQuery=${query}&${user}`
      expect(await readState(await call(address))).toBe('200 OK')
    },
  )

  it('refuses a body that is no form', async () => {
    const { call } = openTestApp(db, store)
    const authorization = `Basic ${Buffer.from(`admin:${db.adminPassword}`).toString('base64')}`
    const answer = await call(`${SEARCH_PATH}?widgetId=searchAPI&searchQuery=*`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await readState(answer)).toBe(
      '200 Fail [1] 1: Content-Type: a body must be application/x-www-form-urlencoded',
    )
  })

  it.each([
    [
      'a token that nobody has',
      { token: 'x'.repeat(32) },
      'token: unknown or expired, or another call reads its page now',
    ],
    ['an empty token', { token: '' }, 'token: must not be empty'],
    [
      'pages of an export',
      { paginate: 'true', resultFormat: 'json' },
      'paginate: not together with resultFormat json',
    ],
    [
      'an export by token',
      { token: 'x', resultFormat: 'csv-plain' },
      'resultFormat: must be xml or csv with a token',
    ],
    [
      'a token and no pages',
      { token: 'x', paginate: 'false' },
      'paginate: not false together with a token',
    ],
    [
      'a cancel of two names',
      { widgetId: 'cancelSearch', token: 'x', searchId: 'y' },
      'token: not together with searchId',
    ],
    [
      'a cancel of an unknown token',
      { widgetId: 'cancelSearch', token: 'x' },
      'no running search or page token of this name: it may have ended',
    ],
  ])('refuses %s', async (_, fields, reason) => {
    const { search } = openTestApp(db, store)
    expect(await readState(await search({ searchQuery: '*', ...fields }))).toBe(
      `200 Fail [1] 1: ${reason}`,
    )
  })

  it('has no file for a name that none has, signed in or not', async () => {
    const { call } = openTestApp(db, store)
    const authorization = `Basic ${Buffer.from(`admin:${db.adminPassword}`).toString('base64')}`
    for (const name of [
      'x.xml',
      `${'x'.repeat(32)}.csv`,
      '..%2f..%2fetc',
      `${'x'.repeat(32)}.json`,
    ]) {
      const path = `/logeye/results/${name}`
      expect((await call(path)).status).toBe(401)
      expect((await call(path, { headers: { authorization } })).status).toBe(404)
    }
  })

  it('says that a search to cancel is not known, whosever it is', async () => {
    const clock = makeManualClock()
    const { search } = openTestApp(db, store, { clock })
    const cancelling = search({ widgetId: 'cancelSearch', searchId: 'none' })
    await waitUntil('other processes are asked', async () => {
      const rows = await db.database.read.selectFrom('search_cancels').selectAll().execute()
      return rows.length > 0
    })
    clock.advance(60_000)
    expect(await readState(await cancelling)).toBe(
      '200 Fail [1] 1: no running search or page token of this name: it may have ended',
    )
  })
})
