import { describe, expect, it } from 'vitest'
import type { SignIn } from '../../../../infra/access/sign-in.ts'
import { systemClock } from '../../../../infra/clock.ts'
import type { Right } from '../../../../infra/http/routes/route.ts'
import { makeLogger } from '../../../../infra/logger.ts'
import { FAILED_ENVELOPE } from '../../../../query/edge/envelope.ts'
import { makeServeCall } from '../../../../query/edge/serve-call.ts'
import type { Done, EdgeCall, Outcome, Surface } from '../../../../query/edge/surface.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../../../schemas/users.ts'

type Read = { pairs: [string, string][] }

const SURFACE: Surface<Read, string> = {
  read: ({ request }) => ({ pairs: [...new URL(request.url).searchParams] }),
  answer: (value) => new Response(value),
  failures: FAILED_ENVELOPE,
  bug: { phrase: 'it failed', code: 'request.internal' },
  isCounted: true,
}

const CROSS = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
const LINK = { ...CROSS, 'sec-fetch-mode': 'navigate' }
const OWN = '?autoLogin=true'
type CrossCall = { query?: string; user?: UserRecord; mayBeLinked?: boolean }

const VIEWER: UserRecord = {
  ...ANONYMOUS_USER,
  ...{ id: 100, name: 'viewer', isAdministrator: false, operations: new Set() },
}

async function call(
  work: (call: EdgeCall<Read>) => Promise<Done<string>>,
  given: {
    request?: Request
    signIn?: SignIn
    stopping?: AbortSignal
    keepOpen?: (work: Promise<unknown>) => void
    right?: Right
    surface?: Partial<Surface<Read, string>>
  } = {},
) {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const counted: number[] = []
  const outcomes: Outcome[] = []
  const signIn: SignIn = async ({ address }) => ({
    ...{ user: ANONYMOUS_USER, address },
    by: { kind: 'nothing' },
  })
  const serve = makeServeCall({
    clock: systemClock,
    logger: makeLogger({ level: 'info', process: 'x', clock: systemClock, write }),
    signIn: given.signIn ?? signIn,
    telemetry: { finished: (code) => void counted.push(code) },
    limits: { defaultTimeoutMs: 7 },
    keepOpen: given.keepOpen ?? (() => undefined),
    stopping: given.stopping ?? new AbortController().signal,
  })
  const handle = serve({ ...SURFACE, ...given.surface }, async (received) => {
    received.asked.audit = (outcome) => void outcomes.push(outcome)
    return await work(received)
  })
  const request = given.request ?? new Request('http://localhost/')
  const body = new Uint8Array()
  const { right = 'signed-in' } = given
  const answer = await handle({ request, right, address: '10.0.0.1', pathValues: {}, body })
  const results = () => outcomes.map(({ result, numberOfResults }) => [result, numberOfResults])
  return { answer, lines, counted, results }
}

describe('the edge of a call', () => {
  it('answers what the work gives, counted and audited', async () => {
    const { answer, lines, counted, results } = await call(async ({ signedIn }) => ({
      value: `${signedIn.user.name} ${signedIn.address}`,
      numberOfResults: 3,
    }))
    expect(await answer.text()).toBe('anonymous 10.0.0.1')
    expect([counted, results(), lines]).toEqual([[0], [['done', 3]], []])
  })

  it('does no work for a call that cannot sign in', async () => {
    let isCalled = false
    const work = async () => {
      isCalled = true
      return { value: '' }
    }
    const signIn = () => Promise.reject(new Failure('sign_in.failed'))
    const { answer, counted, results } = await call(work, { signIn })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="logeye", charset="UTF-8"',
    ])
    // Among the sign-ins, not among the searches.
    expect([isCalled, counted, results()]).toEqual([false, [], []])
  })

  it.each<[string, Record<string, string>, CrossCall, number]>([
    ['a page of another site', CROSS, {}, 403],
    ['a link on it', LINK, {}, 403],
    ['a link on it to what may be linked', LINK, { mayBeLinked: true }, 200],
    ['a script of it for what may be linked', CROSS, { mayBeLinked: true }, 403],
    ['it with a name and password of its own', CROSS, { query: OWN }, 200],
    ['it while security is off', CROSS, { query: OWN, user: ANONYMOUS_USER }, 403],
    ['its own site', { ...CROSS, 'sec-fetch-site': 'same-origin' }, {}, 200],
    ['the address line', { ...LINK, 'sec-fetch-site': 'none' }, {}, 200],
    ['a program', {}, {}, 200],
  ])('from %s', async (_, headers, { query = '', user = VIEWER, mayBeLinked }, status) => {
    const request = new Request(`http://localhost/${query}`, { headers })
    const by = user === ANONYMOUS_USER ? 'nothing' : query === OWN ? 'parameters' : 'basic'
    const signIn: SignIn = async ({ address }) => ({ user, address, by: { kind: by } })
    const surface = mayBeLinked === undefined ? {} : { mayBeLinked }
    const { answer } = await call(async () => ({ value: '' }), { request, signIn, surface })
    expect(answer.status).toBe(status)
  })

  it.each<[Right, UserRecord, number]>([
    ['signed-in', VIEWER, 200],
    ['operator', VIEWER, 403],
    ['operator', { ...VIEWER, operations: new Set(['system.operate']) }, 200],
    ['operator', { ...VIEWER, isAdministrator: true }, 200],
  ])('of a route for %s works for who may', async (right, user, status) => {
    const signIn: SignIn = async ({ address }) => ({ user, address, by: { kind: 'basic' } })
    let isCalled = false
    const work = async () => {
      isCalled = true
      return { value: '' }
    }
    const { answer } = await call(work, { signIn, right })
    expect([answer.status, isCalled]).toEqual([status, status === 200])
  })

  it('answers a failure in the shape of its surface and logs nothing', async () => {
    const work = () => Promise.reject(new Failure('store.unavailable'))
    const { answer, lines, counted, results } = await call(work)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect([counted, results(), lines]).toEqual([[1], [['store.unavailable', 0]], []])
  })

  it('logs a bug once and says nothing of it', async () => {
    const { answer, lines, results } = await call(() => Promise.reject(new Error('of the engine')))
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('of the engine')
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(['it failed'])
    expect(results()).toEqual([['request.internal', 0]])
  })

  it('takes a client that has gone, and the end of the product, for no bug', async () => {
    const gone = new AbortController()
    gone.abort()
    const work = () => Promise.reject(gone.signal.reason)
    const request = new Request('http://localhost/', { signal: gone.signal })
    // A request follows its signal, with the same reason.
    for (const given of [{ request }, { stopping: gone.signal }]) {
      const { lines, counted, results } = await call(work, given)
      expect([lines, counted, results()]).toEqual([[], [4], [['search.cancelled', 0]]])
    }
  })

  it('audits an answer that goes on when its work has ended, and once', async () => {
    const { promise, resolve } = makeDeferred<number>()
    const response = new Response('rows')
    const { answer, counted, results } = await call(async () => ({ response, ended: promise }))
    expect(answer).toBe(response)
    expect([counted, results()]).toEqual([[], []])
    resolve(5)
    await expect.poll(results).toEqual([['done', 5]])
    expect(counted).toEqual([0])
    const broken = Promise.reject(new Failure('store.failed'))
    const cut = await call(async () => ({ response, ended: broken }))
    await expect.poll(cut.results).toEqual([['store.failed', 0]])
  })

  it('answers and audits a call that its client or the product ended as cancelled', async () => {
    const gone = new AbortController()
    gone.abort()
    const work = () => Promise.reject(gone.signal.reason)
    const { answer } = await call(work, { stopping: gone.signal })
    // Not 200, which would pass for the file or the answer itself.
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ errorMessage: 'the search was cancelled' })
  })

  it('tells what keeps an answer open until it has been audited', async () => {
    const kept: Promise<unknown>[] = []
    const keepOpen = (promise: Promise<unknown>) => void kept.push(promise)
    const response = new Response('rows')
    const { promise: ended, resolve } = makeDeferred<number>()
    const { results } = await call(async () => ({ response, ended }), { keepOpen })
    expect([kept.length, results()]).toEqual([1, []])
    resolve(5)
    await Promise.all(kept)
    expect(results()).toEqual([['done', 5]])
  })

  it('leaves out of the count what is no search', async () => {
    const { counted, results } = await call(async ({ asked }) => {
      asked.isCounted = false
      return { value: '' }
    })
    expect([counted, results()]).toEqual([[], [['done', 0]]])
  })
})

function makeDeferred<Value>() {
  let resolve = (_: Value): void => undefined
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
