// Sign-in by an OpenID Connect provider (docs/decisions/0045), with a provider that others wrote.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../../../support/apps/query-app.ts'
import { askSdk, basic } from '../../../support/clients/access-client.ts'
import { openQueryDatabase, type QueryDatabase } from '../../../support/database/query-database.ts'
import { type Account, startOidcProvider } from '../../../support/network/oidc-provider.ts'
import { makeFailingStore } from '../../../support/store/failing-store.ts'

const BASE = 'http://localhost:30303'
const PATH = '/logeye/session/oidc'
const accounts = new Map<string, Account>()
let db: QueryDatabase
let provider: Awaited<ReturnType<typeof startOidcProvider>>
let app: ReturnType<typeof openTestApp>
const store = makeFailingStore(() => [])

const open = (more: Record<string, unknown> = {}) =>
  openTestApp(db, store, {
    oidc: {
      ...{ issuer: provider.issuer, clientId: 'logeye', clientSecret: 'a secret of the client' },
      ...more,
    },
  })

beforeAll(async () => {
  db = await openQueryDatabase()
  provider = await startOidcProvider(`${BASE}${PATH}/callback`, accounts)
  app = open({ groups: ['log-admins=administrators', 'gone=no such group'] })
})
afterAll(async () => {
  await provider.close()
  await db.close()
})

const admin = () => basic('admin', db.adminPassword)
const pairsOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

async function begin(of = app) {
  const begun = await of.call(PATH)
  expect(begun.status).toBe(302)
  return { location: begun.headers.get('location') ?? '', cookie: pairsOf(begun), begun }
}
async function comeBack(url: string, cookie: string, of = app) {
  const answer = await of.call(url.slice(BASE.length), { headers: { cookie } })
  const text = await answer.text()
  const error = text === '' ? '' : String(JSON.parse(text).errorMessage)
  return { status: answer.status, error, answer, headers: { cookie: pairsOf(answer) } }
}
async function signIn(subject: string, of = app) {
  const { location, cookie } = await begin(of)
  return await comeBack(await provider.signIn(location, subject), cookie, of)
}
const who = async (headers: Record<string, string>) => {
  const answer = await app.call('/logeye/session', { headers })
  const { response } = (await answer.json()) as { response: Record<string, unknown> | null }
  const { user, displayName, isAdministrator: isAdmin } = response ?? {}
  return { status: answer.status, user, displayName, isAdmin }
}

describe('sign-in by a provider', () => {
  it('asks with code, PKCE, state and nonce, and comes back to us alone', async () => {
    const { location, begun } = await begin()
    const asked = new URL(location)
    expect(asked.origin).toBe(provider.issuer)
    const get = (name: string) => asked.searchParams.get(name) ?? ''
    expect([get('response_type'), get('code_challenge_method'), get('redirect_uri')]).toEqual([
      ...['code', 'S256', `${BASE}${PATH}/callback`],
    ])
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(get(name)).toMatch(/^[\w-]{43}$/)
    const [cookie = ''] = begun.headers.getSetCookie()
    expect(cookie).toMatch(/; Max-Age=600; Path=\/logeye\/session\/oidc; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain(get('state'))
  })

  it('makes a user without a password, with a session, at the start page', async () => {
    accounts.set('s-anna', { preferred_username: 'anna', name: 'Anna A.', groups: ['else'] })
    const { status, answer, headers } = await signIn('s-anna')
    expect([status, answer.headers.get('location')]).toEqual([302, '/logeye/'])
    expect(await who(headers)).toMatchObject({ status: 200, user: 'anna', isAdmin: false })
    for (const password of ['', 'any', 'undefined'])
      expect((await who(basic('anna', password))).status).toBe(401)
    const list = await askSdk(app, 'list', { type: 'user', names: 'anna' }, admin())
    expect(list.status).toBe(200)
  })

  it('shows no name from the provider that changes the direction of text', async () => {
    accounts.set('s-dirk', { preferred_username: 'dirk', name: 'Dirk \u202enimda' })
    const { headers } = await signIn('s-dirk')
    expect(await who(headers)).toMatchObject({ user: 'dirk', displayName: 'dirk' })
  })

  it('asks before it replaces the session of another user', async () => {
    accounts.set('s-first', { preferred_username: 'first' })
    accounts.set('s-second', { preferred_username: 'second' })
    const { headers } = await signIn('s-first')
    const back = async (subject: string) => {
      const { location, cookie } = await begin()
      const both = `${cookie}; ${headers.cookie}`
      return await comeBack(await provider.signIn(location, subject), both)
    }
    const { answer } = await back('s-second')
    expect(answer.headers.get('location')).toBe('/logeye/?asked=session')
    expect(pairsOf(answer)).toContain('logeye_next_session=')
    expect(pairsOf(answer)).not.toContain('logeye_session=')
    expect(await who(headers)).toMatchObject({ user: 'first' })
    expect((await back('s-first')).answer.headers.get('location')).toBe('/logeye/')
  })

  it('gives and takes the mapped groups with each sign-in', async () => {
    const groups = (names: string[]) =>
      accounts.set('s-berta', { preferred_username: 'berta', groups: names })
    groups(['log-admins', 'gone'])
    expect(await who((await signIn('s-berta')).headers)).toMatchObject({ isAdmin: true })
    groups([])
    expect(await who((await signIn('s-berta')).headers)).toMatchObject({ isAdmin: false })
  })

  it('knows a user by the subject, whatever the name is by now', async () => {
    accounts.set('s-carla', { preferred_username: 'carla' })
    await signIn('s-carla')
    accounts.set('s-carla', { preferred_username: 'carla married' })
    expect(await who((await signIn('s-carla')).headers)).toMatchObject({ user: 'carla' })
    // Another one who has the name now is not the first one.
    accounts.set('s-other', { preferred_username: 'Carla' })
    expect(await signIn('s-other')).toMatchObject({ status: 403 })
  })

  it('never becomes a user who has a password here', async () => {
    accounts.set('s-admin', { preferred_username: 'admin', groups: ['log-admins'] })
    const { status, error } = await signIn('s-admin')
    expect([status, error]).toEqual([
      403,
      'the user admin is somebody else here: an administrator must rename one of the two',
    ])
  })

  it('takes no e-mail address that the provider has not verified, and no name that none can have', async () => {
    const byMail = open({ nameClaim: 'email', scopes: ['openid', 'profile', 'email'] })
    const mail = { email: 'eve@example.org', email_verified: false }
    accounts.set('s-eve', mail)
    const { status, error } = await signIn('s-eve', byMail)
    expect([status, error]).toEqual([
      403,
      'the email of the identity provider names no user here: the provider has not verified it',
    ])
    accounts.set('s-eve', { ...mail, email_verified: true })
    expect((await signIn('s-eve', byMail)).status).toBe(302)
    for (const preferred_username of ['a:b', 'x'.repeat(300), 'a\u0000b']) {
      accounts.set('s-odd', { preferred_username })
      expect((await signIn('s-odd')).error).toContain('preferred_username of the identity provider')
    }
    accounts.set('s-long', { preferred_username: 'long', name: 'x'.repeat(5000) })
    expect((await signIn('s-long')).status).toBe(302)
  })

  it('lets in only whom an administrator has added, if it is told so', async () => {
    const strict = open({ createUsers: false })
    accounts.set('s-dora', { preferred_username: 'dora' })
    const none = await signIn('s-dora', strict)
    expect([none.status, none.error]).toEqual([
      403,
      'there is no user dora: an administrator must add it with -signIn oidc',
    ])
    const add = { action: 'add', userName: 'dora', signIn: 'oidc' }
    expect((await askSdk(app, 'securityUsers', add, admin())).status).toBe(200)
    expect(await who((await signIn('s-dora', strict)).headers)).toMatchObject({ user: 'dora' })
  })

  it('refuses a user who was disabled, and ends the session', async () => {
    accounts.set('s-emma', { preferred_username: 'emma' })
    const { headers } = await signIn('s-emma')
    const edit = { action: 'edit', userName: 'emma', enabled: 'false' }
    await askSdk(app, 'securityUsers', edit, admin())
    expect((await who(headers)).status).toBe(401)
    expect(await signIn('s-emma')).toMatchObject({ status: 401 })
  })

  it('takes over no user who was disabled before the first sign-in', async () => {
    const add = { action: 'add', userName: 'fred', signIn: 'oidc', enabled: 'false' }
    expect((await askSdk(app, 'securityUsers', add, admin())).status).toBe(200)
    accounts.set('s-other', { preferred_username: 'fred' })
    expect(await signIn('s-other')).toMatchObject({ status: 401 })
    const enable = { action: 'edit', userName: 'fred', enabled: 'true' }
    expect((await askSdk(app, 'securityUsers', enable, admin())).status).toBe(200)
    accounts.set('s-fred', { preferred_username: 'fred' })
    expect(await who((await signIn('s-fred')).headers)).toMatchObject({ user: 'fred' })
  })

  it('believes only the browser that began it, once', async () => {
    accounts.set('s-fritz', { preferred_username: 'fritz' })
    const first = await begin()
    const second = await begin()
    const back = await provider.signIn(first.location, 's-fritz')
    const other = 'the sign-in was not begun in this browser within 10 minutes: begin it again'
    expect(await comeBack(back, '')).toMatchObject({ status: 401, error: other })
    expect(await comeBack(back, 'logeye_oidc=AAAA')).toMatchObject({ status: 401, error: other })
    // At its front: of the last character some bits count for nothing.
    const tampered = first.cookie.replace(/=(.)/, (_, it) => (it === 'A' ? '=B' : '=A'))
    expect(await comeBack(back, tampered)).toMatchObject({ status: 401, error: other })
    const refused =
      'the identity provider did not sign the user in, or its answer cannot be believed'
    expect(await comeBack(back, second.cookie)).toMatchObject({ status: 401, error: refused })
    const wrongState = back.replace(/state=[^&]+/, 'state=x')
    expect(await comeBack(wrongState, first.cookie)).toMatchObject({ status: 401, error: refused })
    expect(await comeBack(back, first.cookie)).toMatchObject({ status: 302 })
    expect(await comeBack(back, first.cookie)).toMatchObject({ status: 401, error: refused })
    const denied = `${BASE}${PATH}/callback?error=access_denied&error_description=<b>x`
    const text = await comeBack(denied, first.cookie)
    expect([text.status, text.error]).toEqual([401, refused])
  })

  it('goes nowhere but to the start page, whatever the address says', async () => {
    accounts.set('s-greta', { preferred_username: 'greta' })
    const more = '?to=https://evil.example&redirect_uri=https://evil.example&return=//evil.example'
    const begun = await app.call(`${PATH}${more}`)
    const location = begun.headers.get('location') ?? ''
    expect(location).not.toContain('evil')
    const back = await provider.signIn(location, 's-greta')
    const { answer } = await comeBack(`${back}&to=https://evil.example`, pairsOf(begun))
    expect(answer.headers.get('location')).toBe('/logeye/')
  })

  it('says what is missing: no provider, one that is away, a claim, security', async () => {
    const without = openTestApp(db, store)
    expect((await without.call(PATH)).status).toBe(404)
    const away = open({ issuer: 'http://127.0.0.1:9' })
    const answer = await away.call(PATH)
    expect([answer.status, await answer.json()]).toMatchObject([
      ...[503, { errorMessage: 'the identity provider does not answer, or not as one does' }],
    ])
    const noName = open({ nameClaim: 'login' })
    accounts.set('s-hans', { preferred_username: 'hans' })
    expect((await signIn('s-hans', noName)).error).toContain('says no login')
    await askSdk(app, 'settings', { security: 'false' }, admin())
    expect((await app.call(PATH)).status).toBe(409)
    await askSdk(app, 'settings', { security: 'true' }, {})
  })
})
