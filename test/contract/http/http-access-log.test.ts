// LOGEYE_LOG_LEVEL=debug shows each request in one line, on both engines, for raw routes and the
// application; nothing secret is in it.
import { expect, it } from 'vitest'
import { makeSignInTelemetry } from '../../../infra/access/telemetry.ts'
import type { RawExchange } from '../../../infra/http/port.ts'
import { type LogLevel, makeLogger } from '../../../infra/logger.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { describeEngines, talk, url, useServers } from '../../support/apps/http-server.ts'
import { PATH, startListener } from '../../support/apps/listener-server.ts'
import { SOON } from '../../support/run/patience.ts'
import { testClock } from '../../support/run/test-clock.ts'

useServers()

type Line = Record<string, unknown>

function makeRecorder(level: LogLevel) {
  const lines: Line[] = []
  const write = (text: string) => void lines.push(JSON.parse(text))
  return { lines, logger: makeLogger({ level, process: 'test', clock: testClock, write }) }
}

describeEngines('the access line', ({ open }) => {
  const handle = (exchange: RawExchange): void =>
    exchange.collectBody(
      100,
      (body) => exchange.answer(200, [], body),
      () => exchange.answer(400, [], 'no'),
    )
  const fetchHandler = () => new Response('hello', { status: 201 })

  it('tells method, path, status, bytes, time and peer, and no query string', async () => {
    const { lines, logger } = makeRecorder('debug')
    const rawRoutes = [{ path: '/raw', handle }]
    const server = await open({ logger, rawRoutes, fetch: fetchHandler })
    await fetch(url(server, '/raw?token=secret'), { method: 'POST', body: 'twelve bytes' })
    await fetch(url(server, `/results/${'s3cret'.repeat(8)}.csv?password=secret`))
    await expect.poll(() => lines.length, SOON).toBe(2)
    const common = { level: 'debug', message: 'request', peer: '127.0.0.1' }
    expect(lines).toMatchObject([
      { ...common, method: 'POST', path: '/raw', status: 200, receivedBytes: 12, sentBytes: 12 },
      { ...common, method: 'GET', path: '/results/s3cr...', status: 201, sentBytes: 5 },
    ])
    for (const line of lines) expect(line.ms).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it.each(['whsec_p1nbxqzh/8I2u37WJ/+Pwmo5dw=', 'WHSEC%5fp1nbxqzh/8I2u37WJ/Pwmo5dw%3D'])(
    'shows nothing of a secret that slashes cut into short names: %s',
    async (secret) => {
      const { lines, logger } = makeRecorder('debug')
      const server = await open({ logger, fetch: fetchHandler })
      await fetch(url(server, `/webhooks/${secret}/test`))
      await expect.poll(() => lines, SOON).toMatchObject([{ path: '/webhooks/***' }])
    },
  )

  it('tells a client that went before its answer', async () => {
    const { lines, logger } = makeRecorder('debug')
    const server = await open({ logger, rawRoutes: [{ path: '/raw', handle }] })
    const head = 'POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'
    await talk(server.port, [head], () => true)
    await expect.poll(() => lines, SOON).toMatchObject([{ path: '/raw', aborted: true }])
  })

  it('is not built at level info', async () => {
    const { lines, logger } = makeRecorder('info')
    const server = await open({ logger, fetch: fetchHandler })
    await fetch(url(server, '/x'))
    expect(lines).toEqual([])
  })
})

describeEngines('refusals', ({ name: engine }) => {
  it('of tokens are counted by reason', async () => {
    const listener = await startListener({ engine })
    const post = (query: string) =>
      fetch(`${listener.url}${PATH}?${query}`, { method: 'POST', body: '{}' })
    await post('token=nobody')
    await post('')
    const text = await listener.metrics.text()
    expect(text).toMatch(/requests_total\{[^}]*answer="token_invalid"[^}]*\} 1\n/)
    expect(text).toMatch(/requests_total\{[^}]*answer="token_missing"[^}]*\} 1\n/)
    await listener.close()
  })

  it('of tokens and sign-ins are lines at debug', async () => {
    const { lines, logger } = makeRecorder('debug')
    const listener = await startListener({ engine, logger })
    await fetch(`${listener.url}${PATH}?token=nobody`, { method: 'POST', body: '{}' })
    makeSignInTelemetry(openMetrics('test'), logger).refused('wrong', '10.0.0.1')
    await listener.close()
    const shown = lines.map(({ message, reason }) => ({ message, reason }))
    expect(shown).toContainEqual({ message: 'request refused', reason: 'listener.token_invalid' })
    expect(shown).toContainEqual({ message: 'sign-in refused', reason: 'wrong' })
    expect(JSON.stringify(lines)).not.toContain('nobody')
  })
})
