import { describe, expect, it } from 'vitest'
import { makeHealth, summarize } from '../../../infra/health.ts'
import { SecretText } from '../../../infra/secret-text.ts'
import type { Report } from '../../../infra/supervisor/messages.ts'
import { Failure } from '../../../schemas/failures.ts'

const reports: Report[] = [
  {
    process: 'front',
    ready: { eventLog: true, store: false, listener: true },
    metrics: '# HELP a A.\n# TYPE a counter\na{process="front"} 1\n',
  },
  {
    process: 'store',
    ready: { store: true },
    metrics: '# HELP a A.\n# TYPE a counter\na{process="store"} 2\n',
  },
]

function ask(
  path: string,
  options: {
    address?: string
    method?: string
    isOperator?: boolean | Failure
    all?: Report[]
    token?: string
    authorization?: string
  } = {},
) {
  const { address = '127.0.0.1', method = 'GET', isOperator = false, all = reports } = options
  const health = makeHealth({
    reports: (withMetrics) =>
      Promise.resolve(withMetrics ? all : all.map((it) => ({ ...it, metrics: '' }))),
    mayReadMetrics: async () => {
      if (isOperator instanceof Failure) throw isOperator
      return isOperator
    },
    metricsToken: options.token === undefined ? undefined : new SecretText(options.token),
  })
  const { authorization } = options
  const headers = new Headers(authorization === undefined ? {} : { authorization })
  return health(new Request(`http://x${path}`, { method, headers }), { address })
}

describe('health', () => {
  it('lives without asking anybody', async () => {
    const answer = await ask('/logeye/health/live', { all: [] })
    expect(answer?.status).toBe(200)
  })

  it('names the engine that is missing, with 503', async () => {
    const answer = await ask('/logeye/health/ready')
    expect(answer?.status).toBe(503)
    expect(await answer?.json()).toMatchObject({
      ready: false,
      engines: { eventLog: 'ready', store: 'missing' },
      processes: { front: { store: false }, store: { store: true } },
    })
  })

  it('answers 503 with Retry-After when nobody could look who asks for metrics', async () => {
    const isOperator = new Failure('sign_in.busy')
    const answer = await ask('/metrics', { address: '10.0.0.1', isOperator })
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('is ready when every part of every process is', async () => {
    const all = [{ process: 'front', ready: { eventLog: true, store: true }, metrics: '' }]
    const answer = await ask('/logeye/health/ready?x=1', { all })
    expect(answer?.status).toBe(200)
    expect(summarize([]).ready).toBe(false)
  })

  it('shows metrics of all processes to loopback and to operators', async () => {
    for (const options of [{}, { address: '::1' }, { address: '10.0.0.1', isOperator: true }]) {
      const answer = await ask('/metrics', options)
      expect(answer?.status).toBe(200)
      expect(await answer?.text()).toBe(
        '# HELP a A.\n# TYPE a counter\na{process="front"} 1\na{process="store"} 2\n',
      )
    }
    const refused = await ask('/metrics', { address: '10.0.0.1' })
    expect(refused?.status).toBe(401)
    expect(await refused?.text()).not.toContain('front')
  })

  it.each([
    ['Bearer sesame-sesame', 'sesame-sesame', 200],
    ['bearer  sesame-sesame', 'sesame-sesame', 200],
    ['Bearer sesame-sesamf', 'sesame-sesame', 401],
    ['Bearer sesame', 'sesame-sesame', 401],
    ['Basic sesame-sesame', 'sesame-sesame', 401],
    ['Bearer ', 'sesame-sesame', 401],
    ['Bearer sesame-sesame', undefined, 401],
    ['Bearer undefined', undefined, 401],
  ])(
    'answers who shows %j for its metrics, where the token is %j, with %i',
    async (authorization, token, status) => {
      const address = '10.0.0.1'
      const options = { address, authorization, ...(token === undefined ? {} : { token }) }
      expect((await ask('/metrics', options))?.status).toBe(status)
    },
  )

  it('leaves every other path to others, and refuses other methods on its own', async () => {
    expect(ask('/metrics/x')).toBeUndefined()
    expect(ask('/')).toBeUndefined()
    expect((await ask('/logeye/health/ready', { method: 'POST' }))?.status).toBe(405)
  })
})
