import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findTotpStep, totpCode } from '../../../infra/access/totp.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'
import { makePortalClock, wakeFor } from '../../support/portal/portal-clock.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { cheapenPassword } from '../../support/portal/world.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const clock = makePortalClock()
let portal: TestPortal
let sink: MailSink
let organization: string
let from = 0
const PASSWORD = 'first password'
const NEW_PASSWORD = 'another password'

beforeAll(async () => {
  sink = await startMailSink()
  portal = await makeTestPortal({ clock, mailUrl: sink.url })
  const made = await portal.ask({
    path: '/organizations',
    as: portal.operator,
    body: { name: 'Customer' },
  })
  organization = made.body.id
})
afterAll(() => sink.close())

const elsewhere = () => {
  from += 1
  return `198.51.100.${from}`
}
const invite = (email: string, more: object = {}) =>
  portal.ask({
    path: '/people',
    as: portal.operator,
    headers: { 'x-organization-id': organization },
    body: { email, name: 'Somebody', role: 'customer_admin', ...more },
  })
/** With a password from the beginning. */
const join = async (email: string) => {
  const made = await invite(email, { password: PASSWORD })
  await cheapenPassword(portal, email, PASSWORD)
  return made.body
}
const signIn = (email: string, password: string, code?: string) =>
  portal.ask({
    path: '/session',
    body: { email, password, ...(code === undefined ? {} : { code }) },
    address: elsewhere(),
  })
const linkIn = (text: string) => /#(lnk_[0-9A-Za-z]{49})/.exec(text)?.[1] ?? ''
const waitingMails = () =>
  portal.database.read.selectFrom('mails').selectAll().where('next_ms', 'is not', null).execute()
/** Lets the portal send what is due until `isSo`. */
const sendUntil = (state: string, isSo: () => Promise<boolean>) =>
  waitUntil(
    state,
    async () => {
      if (await isSo()) return true
      const waiting = await waitingMails()
      wakeFor(
        waiting.map(({ next_ms }) => ({ state: 'pending', nextMs: next_ms })),
        clock,
      )
      return false
    },
    waitingMails,
  )
const mailTo = async (email: string): Promise<string> => {
  await sendUntil('all mails are sent', async () => (await waitingMails()).length === 0)
  return await sink.next(email)
}
const choose = (token: string, password: string) =>
  portal.ask({ path: '/passwords', body: { token, password }, address: elsewhere() })

/** Base32 as apps read it. */
function readBase32(text: string): Buffer {
  const bits = [...text]
    .map((it) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(it).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

describe('an invitation', () => {
  it('comes by mail, lets choose a password once, and opens nothing before', async () => {
    const email = 'invited@customer.test'
    expect((await invite(email)).status).toBe(201)
    expect((await signIn(email, '')).status).toBe(401)
    const text = await mailTo(email)
    const token = linkIn(text)
    expect(token).not.toBe('')
    // The database does not hold the link readable.
    const rows = await portal.database.read.selectFrom('mails').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect((await choose(token, 'short')).status).toBe(400)
    expect((await choose(token, PASSWORD)).status).toBe(204)
    const again = await choose(token, NEW_PASSWORD)
    expect([again.status, again.body.code]).toEqual([403, 'link_ended'])
    expect((await signIn(email, PASSWORD)).status).toBe(201)
  })

  it('goes out when the mail server is there again, and once', async () => {
    sink.refuseWith(451)
    const email = 'late@customer.test'
    await invite(email)
    const failure = async () => (await waitingMails())[0]?.last_failure ?? ''
    await sendUntil('the mail was refused', async () => (await failure()) !== '')
    expect(await failure()).toBe('mail.unreachable')
    sink.refuseWith(0)
    // Its next try is half a minute away.
    clock.advance(30_000)
    expect(linkIn(await mailTo(email))).not.toBe('')
    // What is sent again would be so when the claim of the first try has ended.
    clock.advance(60_000)
    await invite('later@customer.test')
    await mailTo('later@customer.test')
    expect(sink.mails.filter(({ to }) => to.includes(email))).toHaveLength(1)
  })

  it('never puts lines of a name into the head of a mail', async () => {
    const refused = await invite('x@customer.test\r\nBcc: all@customer.test')
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  })
})

describe('a forgotten password', () => {
  it('is answered alike for everybody, and its link ends all sessions', async () => {
    const email = 'forgets@customer.test'
    await join(email)
    const { body } = await signIn(email, PASSWORD)
    const reset = (to: string) =>
      portal.ask({ path: '/password-resets', body: { email: to }, address: elsewhere() })
    const [known, unknown] = [await reset(email), await reset('nobody@customer.test')]
    expect([known.status, known.text]).toEqual([202, ''])
    expect([unknown.status, unknown.text]).toEqual([202, ''])
    expect((await choose(linkIn(await mailTo(email)), NEW_PASSWORD)).status).toBe(204)
    expect((await portal.ask({ path: '/session', as: body.token })).status).toBe(401)
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(201)
    expect(sink.mails.flatMap(({ to }) => to)).not.toContain('nobody@customer.test')
  })
})

describe('a link that was sent', () => {
  const as = () => ({ as: portal.operator, headers: { 'x-organization-id': organization } })
  const askForLink = async (email: string) => {
    await portal.ask({ path: '/password-resets', body: { email }, address: elsewhere() })
    return linkIn(await mailTo(email))
  }
  const expectEnded = async (token: string) => {
    const refused = await choose(token, NEW_PASSWORD)
    expect([refused.status, refused.body?.code]).toEqual([403, 'link_ended'])
  }

  it('opens nothing after the person has changed the password', async () => {
    const email = 'changes@customer.test'
    await join(email)
    const token = await askForLink(email)
    const { body } = await signIn(email, PASSWORD)
    const changed = { current: PASSWORD, password: 'a third password' }
    const path = '/session/password'
    const done = await portal.ask({ method: 'PUT', path, as: body.token, body: changed })
    expect(done.status, done.text).toBe(204)
    await expectEnded(token)
    expect((await signIn(email, 'a third password')).status).toBe(201)
  })

  it('opens nothing after the person was disabled', async () => {
    const email = 'disabled@customer.test'
    const { id } = await join(email)
    const token = await askForLink(email)
    for (const isEnabled of [false, true])
      await portal.ask({ ...as(), method: 'PATCH', path: `/people/${id}`, body: { isEnabled } })
    await expectEnded(token)
  })
})

describe('a second factor', () => {
  it('is asked for after it was confirmed, each code once, or a recovery code', async () => {
    const email = 'factor@customer.test'
    await join(email)
    const { body: session } = await signIn(email, PASSWORD)
    const as = session.token
    const path = '/session/second-factor'
    const wrong = await portal.ask({ path, as, body: { password: 'wrong password' } })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_failed'])
    const { body: begun } = await portal.ask({ path, as, body: { password: PASSWORD } })
    // Not confirmed yet.
    expect((await signIn(email, PASSWORD)).status).toBe(201)
    const step = Math.floor(clock.nowMs() / 30_000)
    const code = totpCode(readBase32(begun.secret), step, 6)
    expect(findTotpStep(begun.secret, code, { nowMs: clock.nowMs(), afterStep: 0 })).toBeDefined()
    const bad = await portal.ask({ path, as, method: 'PUT', body: { code: '000000' } })
    expect(bad.status).toBe(401)
    const { body: confirmed } = await portal.ask({ path, as, method: 'PUT', body: { code } })
    expect(confirmed.recoveryCodes).toHaveLength(10)
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    // The code was used when it was confirmed.
    expect((await signIn(email, PASSWORD, code)).status).toBe(401)
    const next = totpCode(readBase32(begun.secret), step + 1, 6)
    expect((await signIn(email, PASSWORD, next)).status).toBe(201)
    expect((await signIn(email, PASSWORD, next)).status).toBe(401)
    const [recovery] = confirmed.recoveryCodes
    expect((await signIn(email, PASSWORD, recovery)).status).toBe(201)
    expect((await signIn(email, PASSWORD, recovery)).status).toBe(401)
    const removed = await portal.ask({ path: `${path}/removal`, as, body: { password: PASSWORD } })
    expect(removed.status).toBe(204)
    expect((await signIn(email, PASSWORD)).status).toBe(201)
  })
})

describe('people', () => {
  it('who are disabled or taken out can do nothing any more', async () => {
    const email = 'leaves@customer.test'
    const person = await join(email)
    const { body } = await signIn(email, PASSWORD)
    const as = body.token
    expect((await portal.ask({ path: '/people', as })).status).toBe(200)
    const staff = { as: portal.operator, headers: { 'x-organization-id': organization } }
    const path = `/people/${person.id}`
    const demoted = await portal.ask({
      ...staff,
      ...{ method: 'PATCH', path, body: { role: 'customer_viewer' } },
    })
    expect(demoted.body.memberships[0].role).toBe('customer_viewer')
    expect((await portal.ask({ path: '/people', as })).status).toBe(403)
    await portal.ask({ ...staff, method: 'PATCH', path, body: { isEnabled: false } })
    expect((await portal.ask({ path: '/session', as })).status).toBe(401)
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    await portal.ask({ ...staff, method: 'PATCH', path, body: { isEnabled: true } })
    expect((await portal.ask({ ...staff, method: 'DELETE', path })).status).toBe(204)
    const { body: alone } = await signIn(email, PASSWORD)
    expect([alone.organization, alone.role]).toEqual([null, null])
  })

  it('are disabled and enabled by operators alone', async () => {
    const person = await join('colleague@customer.test')
    await join('manager@customer.test')
    const { body } = await signIn('manager@customer.test', PASSWORD)
    for (const isEnabled of [false, true]) {
      const asked = { method: 'PATCH', path: `/people/${person.id}`, body: { isEnabled } }
      const answer = await portal.ask({ ...asked, as: body.token })
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    }
    expect((await signIn('colleague@customer.test', PASSWORD)).status).toBe(201)
  })

  it('see and end their own sessions; operators their tokens', async () => {
    const email = 'sessions@customer.test'
    await join(email)
    const [one, two] = [await signIn(email, PASSWORD), await signIn(email, PASSWORD)]
    const { body } = await portal.ask({ path: '/sessions', as: one.body.token })
    const from = body.data.map(({ address }: { address: string }) => address)
    const signedInFrom = expect.stringMatching(/^198\.51\.100\.\d+$/)
    expect(from).toEqual([signedInFrom, signedInFrom])
    expect(new Set(from).size).toBe(2)
    const other = body.data.find(({ isThisOne }: { isThisOne: boolean }) => !isThisOne)
    const ended = { method: 'DELETE', path: `/sessions/${other.id}`, as: one.body.token }
    expect((await portal.ask(ended)).status).toBe(204)
    expect((await portal.ask({ path: '/session', as: two.body.token })).status).toBe(401)
    const made = await portal.ask({
      path: '/operator-tokens',
      as: portal.operator,
      body: { name: 'Reports' },
    })
    const { token, operatorToken } = made.body
    expect((await portal.ask({ path: '/operator-tokens', as: token })).status).toBe(200)
    clock.advance(1)
    const revoke = { method: 'DELETE', path: `/operator-tokens/${operatorToken.id}` }
    expect((await portal.ask({ ...revoke, as: portal.operator })).status).toBe(204)
    expect((await portal.ask({ path: '/operator-tokens', as: token })).status).toBe(401)
    const { body: audit } = await portal.ask({ path: '/audit', as: portal.operator })
    expect(audit.data[0]).toMatchObject({ action: 'revokeOperatorToken', result: 'done' })
    expect(audit.data[0].target).toBe(operatorToken.id)
  })
})
