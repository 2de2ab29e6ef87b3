import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSignIn, type SignIn } from '../../../infra/access/sign-in.ts'
import type { Clock } from '../../../infra/clock.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { hashPassword, NOBODYS_HASH } from '../../../infra/metastore/users/password.ts'
import { addUser, editUser } from '../../../infra/metastore/users/user-changes.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { formatSecret, SECRET_BYTES } from '../../../schemas/secret-text.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

let db: QueryDatabase
let counts: Record<string, number> = {}

function makeOne(clock: Clock = testClock): SignIn {
  counts = {}
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  return makeSignIn({
    metastore: db.metastore,
    clock,
    telemetry: {
      accepted: () => count('accepted'),
      refused: count,
      hashed: () => count('hashed'),
    },
  })
}

function request(username: string, password: string, address = '10.0.0.1') {
  return {
    parameters: new URLSearchParams({ autoLogin: 'true', username, password }),
    authorization: undefined,
    address,
  }
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'signed in'
  } catch (error) {
    return isFailure(error) ? `${error.code}: ${error.message}` : String(error)
  }
}

beforeAll(async () => {
  db = await openQueryDatabase()
  // A real one: the cost of its hash is compared.
  const passwordHash = await hashPassword('reader password', testClock)
  await db.database.write((transaction) => addUser(transaction, 'reader', { passwordHash }))
})
afterAll(() => db.close())

describe('signing in', () => {
  it('lets go of clients that have gone, and works for those who share their wait', async () => {
    const signIn = makeOne()
    const gone = new AbortController()
    const reason = new Error('gone')
    const asked = (name: string) => ({ ...request(name, 'reader password'), signal: gone.signal })
    const left = Array.from({ length: 300 }, (_, at) =>
      signIn({ ...asked(`nobody ${at}`), address: `10.1.${at >> 8}.${at & 255}` }),
    )
    const shared = [signIn(asked('reader')), signIn(request('reader', 'reader password'))]
    const ends = Promise.allSettled([...left, shared[0]])
    await waitUntil('two hashes run', () => (counts.hashed ?? 0) >= 2)
    gone.abort(reason)
    for (const end of await ends) expect(end).toEqual({ status: 'rejected', reason })
    expect((await shared[1])?.user.name).toBe('reader')
    // Two had begun when the others left.
    expect(counts.hashed).toBeLessThan(6)
  })

  it('knows the user by parameters and by HTTP Basic, whatever the letter case of the name', async () => {
    const signIn = makeOne()
    const { user, address } = await signIn(request('READER', 'reader password'))
    expect([user.name, user.isAdministrator, address]).toEqual(['reader', false, '10.0.0.1'])
    const authorization = `Basic ${Buffer.from(`admin:${db.adminPassword}`).toString('base64')}`
    const admin = await signIn({ parameters: [], authorization, address: '' })
    expect([admin.user.name, admin.user.isAdministrator]).toEqual(['admin', true])
  })

  it('answers an unknown user, a wrong password and a disabled user alike, after the same work', async () => {
    await db.addUser('gone', 'gone password')
    await db.database.write((transaction) => editUser(transaction, 'gone', { isEnabled: false }))
    const signIn = makeOne()
    await signIn(request('reader', 'reader password'))
    const answers = [
      await refusal(signIn(request('nobody', 'x'))),
      await refusal(signIn(request('reader', 'x'))),
      await refusal(signIn(request('gone', 'gone password'))),
      await refusal(signIn(request('anonymous', ''))),
    ]
    expect(new Set(answers)).toEqual(new Set(['sign_in.failed: sign-in failed']))
    // Each is a hash of the same cost.
    expect(counts).toEqual({ hashed: 5, accepted: 1, wrong: 4 })
    const known = (await db.metastore.users.find('reader'))?.passwordHash ?? ''
    const costOf = (hash: string) => hash.split(':').slice(0, 4)
    expect(costOf(NOBODYS_HASH)).toEqual(costOf(known))
  })

  it.each([
    { parameters: [], authorization: undefined },
    {
      parameters: new URLSearchParams('username=reader&password=reader+password'),
      authorization: undefined,
    },
    { parameters: [], authorization: 'Basic !' },
    {
      parameters: new URLSearchParams({
        autoLogin: 'true',
        username: 'x'.repeat(1025),
        password: '',
      }),
      authorization: undefined,
    },
  ])('refuses a call without usable credentials without any work: %j', async (given) => {
    const signIn = makeOne()
    expect(await refusal(signIn({ ...given, address: '10.0.0.1' }))).toContain('sign_in.failed')
    expect(counts).toEqual({ no_credentials: 1 })
  })

  it('hashes the password of 1,000 calls once', async () => {
    const signIn = makeOne()
    await Promise.all(
      Array.from({ length: 1000 }, () => signIn(request('reader', 'reader password'))),
    )
    expect(counts).toEqual({ hashed: 1, accepted: 1000 })
  })

  it('forgets what it remembered as soon as the password changes', async () => {
    const signIn = makeOne()
    await db.addUser('changer', 'first password')
    await signIn(request('changer', 'first password'))
    const { passwordHash } = (await db.metastore.users.find('reader')) ?? { passwordHash: '' }
    await db.database.write((transaction) => editUser(transaction, 'changer', { passwordHash }))
    expect(await refusal(signIn(request('changer', 'first password')))).toContain('sign_in.failed')
    expect(await refusal(signIn(request('changer', 'reader password')))).toBe('signed in')
  })

  it('slows guessing from one address and lets the real one in from another at once', async () => {
    const clock = makeManualClock()
    const signIn = makeOne(clock)
    let compared = 0
    const guess = async (name: string, index: number) => {
      const answer = await refusal(signIn(request(name, `guess ${index}`, '10.6.6.6')))
      if (answer.includes('sign_in.failed')) compared += 1
    }
    const guesses = Array.from({ length: 20 }, (_, index) => guess('admin', index))
    const others = Array.from({ length: 12 }, (_, index) => guess(`user ${index % 3}`, index))
    await signIn(request('admin', db.adminPassword, '10.1.1.1'))
    // After the two hashes that run, whatever else waits.
    expect(compared).toBeLessThanOrEqual(8)
    const slowed = guesses.length - 8
    await Promise.any(guesses)
    expect(counts.slowed).toBeGreaterThanOrEqual(slowed - 4)
    clock.advance(60_000)
    await Promise.all([...guesses, ...others])
    expect(compared).toBeGreaterThan(others.length)
  })

  it('writes a failed sign-in to the audit log, without the password', async () => {
    const token = formatSecret('tok_', Buffer.alloc(SECRET_BYTES, 7))
    expect(await refusal(makeOne()(request(token, 'x', '10.8.8.8')))).toContain('sign_in.failed')
    const rows = await db.database.read.selectFrom('audit').selectAll().execute()
    const failed = rows.filter((row) => row.action === 'sign-in')
    expect(failed.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('guess 1')
    // In the place of the name it would be kept as the name that was tried.
    expect(failed.at(-1)?.user_name).toBe('tok_...')
  })

  it('makes everybody the anonymous administrator while security is off', async () => {
    await db.database.write((transaction) => setSetting(transaction, 'system.security', 'false'))
    await db.metastore.tree()
    const signIn = makeOne()
    const { user } = await signIn(request('reader', 'wrong'))
    expect([user.name, user.isAdministrator]).toEqual(['anonymous', true])
    await db.database.write((transaction) => setSetting(transaction, 'system.security', 'true'))
    await db.metastore.tree()
    expect(await refusal(signIn(request('reader', 'wrong')))).toContain('sign_in.failed')
  })
})
