import { describe, expect, it } from 'vitest'
import { makeHealth, summarize } from '../../../infra/health.ts'
import type { Report } from '../../../infra/supervisor/messages.ts'

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
  options: { address?: string; method?: string; isOperator?: boolean; all?: Report[] } = {},
) {
  const { address = '127.0.0.1', method = 'GET', isOperator = false, all = reports } = options
  const health = makeHealth({
    reports: (withMetrics) =>
      Promise.resolve(withMetrics ? all : all.map((it) => ({ ...it, metrics: '' }))),
    mayReadMetrics: () => Promise.resolve(isOperator),
  })
  return health(new Request(`http://x${path}`, { method }), { address })
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

  it('leaves every other path to others, and refuses other methods on its own', async () => {
    expect(ask('/metrics/x')).toBeUndefined()
    expect(ask('/')).toBeUndefined()
    expect((await ask('/logeye/health/ready', { method: 'POST' }))?.status).toBe(405)
  })
})
