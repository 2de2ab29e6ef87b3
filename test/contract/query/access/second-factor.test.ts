// A second factor (docs/decisions/0045): what it closes, what it opens, and how it goes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { totpCode } from '../../../../infra/access/totp.ts'
import { rekeySecrets } from '../../../../infra/cli/rekey-secrets.ts'
import type { Clock } from '../../../../infra/clock.ts'
import { configSchema } from '../../../../infra/config-schema.ts'
import { Lifecycle } from '../../../../infra/lifecycle.ts'
import { sealFactorsOfBefore } from '../../../../infra/metastore/access/factor-secrets.ts'
import { openMetrics } from '../../../../infra/metrics.ts'
import { SecretKeys } from '../../../../infra/secrets/secret-keys.ts'
import type { RoleContext } from '../../../../infra/supervisor/role-process.ts'
import { openQueryRole } from '../../../../roles/query.ts'
import { openTestApp } from '../../../support/apps/query-app.ts'
import {
  askSdk,
  basic,
  bearer,
  type Session,
  signInAs,
  textOf,
} from '../../../support/clients/access-client.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../../support/database/query-database.ts'
import { FakeEventLog } from '../../../support/event-log/fake-event-log.ts'
import { testClock } from '../../../support/run/test-clock.ts'
import { makeFailingStore } from '../../../support/store/failing-store.ts'

const STEP_MS = 30_000
const PASSWORD = 'a good password'
let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
let directory: string
let keyFile: string
let aheadMs = 0
const clock: Clock = { ...testClock, nowMs: () => testClock.nowMs() + aheadMs }

beforeAll(async () => {
  db = await openQueryDatabase(clock)
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-factor-'))
  keyFile = join(directory, 'secrets.key')
  app = openApp()
})
afterAll(async () => {
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

const openApp = () =>
  openTestApp(
    db,
    makeFailingStore(() => []),
    { clock, keyFile },
  )

/** Base 32 read by hand, apart from the product's. */
function keyOf(secret: string): Buffer {
  const bits = [...secret].map((it) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(it).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((it) => Number.parseInt(it, 2)))
}
const codeNow = (secret: string) =>
  totpCode(keyOf(secret), Math.floor((testClock.nowMs() + aheadMs) / STEP_MS), 6)
/** The codes until now have been used. */
const nextStep = () => {
  aheadMs += 2 * STEP_MS
}

async function addUser(name: string) {
  await db.addUser(name, PASSWORD)
  const headers = basic(name, PASSWORD)
  const begun = await askSdk(app, 'secondFactor', { action: 'begin' }, headers)
  const secret = textOf(begun, 'secret')
  const show = { action: 'show' }
  const before = await askSdk(app, 'secondFactor', show, headers)
  expect(before).toMatchObject({ status: 200, response: { enabled: false } })
  expect(textOf(begun, 'uri')).toContain(`secret=${secret}`)
  const code = codeNow(secret)
  const confirmed = await askSdk(app, 'secondFactor', { action: 'confirm', code }, headers)
  expect(confirmed.status).toBe(200)
  const { recoveryCodes } = confirmed.response as { recoveryCodes: string[] }
  nextStep()
  return { name, headers, secret, recoveryCodes }
}
const signIn = (user: string, code?: string): Promise<Session> =>
  signInAs(app, { user, password: PASSWORD, ...(code === undefined ? {} : { code }) })
const who = async (headers: Record<string, string>) =>
  (await app.call('/logeye/session', { headers })).status

describe('a second factor', () => {
  it('is none before its code was shown', async () => {
    await db.addUser('beginner', PASSWORD)
    const headers = basic('beginner', PASSWORD)
    await askSdk(app, 'secondFactor', { action: 'begin' }, headers)
    const wrong = { action: 'confirm', code: '000000' }
    expect(await askSdk(app, 'secondFactor', wrong, headers)).toMatchObject({
      ...{ status: 400, error: '-code: is not the code of now' },
    })
    expect([await who(headers), (await signIn('beginner')).status]).toEqual([200, 200])
  })

  it('closes the password for address, Basic and SDK, with a text that says what to do', async () => {
    const { headers, name } = await addUser('closed')
    const text = 'this user has a second factor: sign in with an API token or a session'
    const inAddress = new URLSearchParams({ autoLogin: 'true', username: name, password: PASSWORD })
    const answers = [
      await app.call('/logeye/session', { headers }),
      await app.call(`/logeye/restapi/folders-and-logs-configuration?${inAddress}`),
    ]
    for (const answer of answers)
      expect([answer.status, await answer.json()]).toMatchObject([401, { errorMessage: text }])
    expect(await askSdk(app, 'ownSessions', { action: 'list' }, headers)).toMatchObject({
      ...{ status: 401, error: text },
    })
    // Only who knows the password is told.
    expect(await askSdk(app, 'ownSessions', { action: 'list' }, basic(name, 'x'))).toMatchObject({
      ...{ status: 401, error: 'sign-in failed' },
    })
  })

  it('lets a code in once, with the password, and tokens made in that session', async () => {
    const { name, secret } = await addUser('coder')
    expect(await signIn(name)).toMatchObject({
      ...{ status: 401, error: 'a code of the second factor is needed' },
    })
    const code = codeNow(secret)
    const session = await signIn(name, code)
    expect(session.status).toBe(200)
    expect(await signIn(name, code)).toMatchObject({ status: 401, error: 'sign-in failed' })
    const made = await askSdk(
      app,
      'apiToken',
      { action: 'add', name: 'script' },
      { ...session.headers, ...session.csrf },
    )
    expect(await who(bearer(textOf(made, 'token')))).toBe(200)
  })

  it('takes each recovery code once, however it is spelled', async () => {
    const { name, recoveryCodes } = await addUser('loser')
    const [first = '', second = ''] = recoveryCodes
    expect(recoveryCodes).toHaveLength(10)
    expect(first).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await signIn(name, first)).status).toBe(200)
    expect((await signIn(name, first)).status).toBe(401)
    expect((await signIn(name, second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    const row = await db.database.read.selectFrom('second_factors').selectAll().execute()
    for (const code of recoveryCodes) expect(JSON.stringify(row)).not.toContain(code)
  })

  it('looks at no code for a while after five wrong ones, whoever tries', async () => {
    const { name, secret } = await addUser('guessed')
    for (let at = 0; at < 5; at += 1)
      expect((await signInAs(app, { user: name, password: PASSWORD, code: '000000' })).error).toBe(
        'sign-in failed',
      )
    const slowed = await signIn(name, codeNow(secret))
    expect(slowed.error).toBe('too many failed sign-ins, try again later')
    aheadMs += 15 * 60_000
    expect((await signIn(name, codeNow(secret))).status).toBe(200)
  })

  it('goes in a fresh session of its user, and not in an old one', async () => {
    const { name, secret, headers } = await addUser('leaver')
    const old = await signIn(name, codeNow(secret))
    aheadMs += 6 * 60_000
    const remove = { action: 'remove' }
    const inOld = await askSdk(app, 'secondFactor', remove, { ...old.headers, ...old.csrf })
    expect(inOld).toMatchObject({ status: 403, error: expect.stringContaining('sign in again') })
    const fresh = await signIn(name, codeNow(secret))
    const show = { action: 'show' }
    const inForce = await askSdk(app, 'secondFactor', show, { ...fresh.headers, ...fresh.csrf })
    expect(inForce).toMatchObject({ status: 200, response: { enabled: true } })
    const inFresh = await askSdk(app, 'secondFactor', remove, { ...fresh.headers, ...fresh.csrf })
    expect(inFresh).toMatchObject({ status: 200, response: { removed: true } })
    expect(await who(headers)).toBe(200)
  })

  it('is reset by an administrator alone, which ends the sessions', async () => {
    const { name, secret, headers } = await addUser('locked')
    const session = await signIn(name, codeNow(secret))
    await db.addUser('other', PASSWORD)
    const reset = { action: 'reset', userName: name }
    expect((await askSdk(app, 'secondFactor', reset, basic('other', PASSWORD))).status).toBe(403)
    const admin = basic('admin', db.adminPassword)
    expect((await askSdk(app, 'secondFactor', reset, admin)).status).toBe(200)
    expect([await who(session.headers), await who(headers)]).toEqual([401, 200])
  })

  it("is not reset by who holds less than its user, nor one's own by an old session", async () => {
    await db.addUser('officer', PASSWORD)
    const admin = basic('admin', db.adminPassword)
    const policy = { action: 'add', policyName: 'officer', operations: 'system.security' }
    const { name: chief, secret } = await addUser('chief')
    for (const [command, given] of [
      ['securityPolicies', policy],
      ['securityUsers', { action: 'edit', userName: 'officer', policy: 'officer' }],
      ['securityUsers', { action: 'edit', userName: chief, policy: 'administrators' }],
    ] as const)
      expect((await askSdk(app, command, given, admin)).status).toBe(200)
    const reset = { action: 'reset', userName: chief }
    const officer = basic('officer', PASSWORD)
    expect(await askSdk(app, 'secondFactor', reset, officer)).toMatchObject({
      ...{ status: 403, error: expect.stringContaining('lacks all rights') },
    })
    const { headers, csrf } = await signIn(chief, codeNow(secret))
    aheadMs += 6 * 60_000
    expect(await askSdk(app, 'secondFactor', reset, { ...headers, ...csrf })).toMatchObject({
      ...{ status: 403, error: expect.stringContaining('sign in again') },
    })
    expect((await askSdk(app, 'secondFactor', reset, admin)).status).toBe(200)
  })

  it('is told to nobody by the audit log', async () => {
    const { secret } = await addUser('quiet')
    const rows = await db.database.read.selectFrom('audit').selectAll().execute()
    expect(rows.filter((row) => row.action === 'sdk.secondFactor').length).toBeGreaterThan(5)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('the secret of a second factor', () => {
  const secrets = async () =>
    await db.database.read.selectFrom('second_factors').select(['user_id', 'secret']).execute()
  const plainAgain = (userId: number, secret: string) =>
    db.database.write(async (transaction) => {
      const update = transaction.updateTable('second_factors').set({ secret })
      await update.where('user_id', '=', userId).execute()
    })
  const keys = () => new SecretKeys(keyFile, clock)
  /** As a process with the role `query` starts. */
  const startQueryRole = async () => {
    const logger = silentLogger
    const context: RoleContext = {
      ...{ clock, logger, metrics: openMetrics('test'), lifecycle: new Lifecycle(clock, logger) },
      ...{ parts: new Map(), reports: async () => [], askRestart: undefined },
      ...{ configFile: undefined, stopLimitMs: () => 0 },
    }
    const config = configSchema.parse({ dataDir: directory, secrets: { keyFile } })
    const store = makeFailingStore(() => [])
    const engines = { store, metastore: db.metastore, eventLog: new FakeEventLog() }
    await (await openQueryRole(context, config, engines)).stop()
  }

  it('is encrypted in the database, and belongs to its user alone', async () => {
    const [one, other] = [await addUser('sealed'), await addUser('sealed too')]
    for (const { secret } of await secrets()) expect(secret).toMatch(/^\{"key":"/)
    const text = JSON.stringify(await secrets())
    for (const { secret } of [one, other]) expect(text).not.toContain(secret)
    expect((await signIn(one.name, codeNow(one.secret))).status).toBe(200)
    nextStep()
    const idOf = async (name: string) => {
      await db.metastore.refresh()
      return (await db.metastore.users.find(name))?.id ?? 0
    }
    const [mine, his] = [await idOf(one.name), await idOf(other.name)]
    const before = (await secrets()).find(({ user_id }) => user_id === his)?.secret ?? ''
    const own = (await secrets()).find(({ user_id }) => user_id === mine)?.secret ?? ''
    await plainAgain(his, own)
    for (const { secret } of [one, other])
      expect((await signIn(other.name, codeNow(secret))).status).toBe(401)
    await plainAgain(his, before)
    expect((await signIn(other.name, codeNow(other.secret))).status).toBe(200)
  })

  it('of before is encrypted when the product starts, and its codes stay right', async () => {
    const { name, secret } = await addUser('of before')
    await db.metastore.refresh()
    const id = (await db.metastore.users.find(name))?.id ?? 0
    await plainAgain(id, secret)
    expect((await signIn(name, codeNow(secret))).status).toBe(200)
    nextStep()
    await startQueryRole()
    expect(JSON.stringify(await secrets())).not.toContain(secret)
    for (const { secret: sealed } of await secrets()) expect(sealed).toMatch(/^\{"key":"/)
    expect((await signIn(name, codeNow(secret))).status).toBe(200)
    nextStep()
  })

  it('is read with another key after rekey-secrets', async () => {
    const { name, secret } = await addUser('rekeyed')
    const before = await secrets()
    const options = { keyFile, clock, isLossAccepted: false }
    expect(await rekeySecrets(db.database, options)).toContain('are encrypted with the new key')
    for (const { secret: sealed } of await secrets())
      expect(before.map((it) => it.secret)).not.toContain(sealed)
    expect((await signIn(name, codeNow(secret))).status).toBe(200)
    nextStep()
  })

  it('opens nothing without the key file; recovery codes do', async () => {
    const { name, secret, recoveryCodes } = await addUser('keyless')
    const file = readFileSync(keyFile)
    rmSync(keyFile)
    expect((await signIn(name, codeNow(secret))).status).toBe(401)
    expect((await signIn(name, recoveryCodes[0])).status).toBe(200)
    await db.addUser('late', PASSWORD)
    const begun = await askSdk(app, 'secondFactor', { action: 'begin' }, basic('late', PASSWORD))
    expect(begun.status).toBe(503)
    const options = { keyFile, clock, isLossAccepted: false }
    await expect(rekeySecrets(db.database, options)).rejects.toMatchObject({
      code: 'secrets.key_missing',
    })
    const warned: unknown[] = []
    const logger = { info: () => {}, warn: (...given: unknown[]) => void warned.push(given) }
    await sealFactorsOfBefore(db.database, { keys: keys(), clock, logger })
    expect(warned).toHaveLength(1)
    writeFileSync(keyFile, file, { mode: 0o600 })
    expect((await signIn(name, codeNow(secret))).status).toBe(200)
  })
})
