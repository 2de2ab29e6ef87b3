import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../infra/config.ts'
import { HEADER_LIMIT_BYTES } from '../../../../infra/http/header-limit-name.ts'
import { readDeployFile, readDeployYaml } from '../../../support/deploy/deploy-files.ts'
import { asMap } from '../../../support/deploy/yaml-values.ts'

const text = readDeployFile('haproxy/haproxy.cfg')
const { config } = loadConfig({ environment: {} })

function section(title: string): string[] {
  const lines = text.split('\n')
  const begin = lines.indexOf(title)
  const length = lines
    .slice(begin + 1)
    .findIndex((line) => /^\S/.test(line) && !line.startsWith('#'))
  const end = length < 0 ? lines.length : begin + 1 + length
  expect(begin).toBeGreaterThanOrEqual(0)
  return lines.slice(begin + 1, end).map((line) => line.trim())
}

function numberOf(lines: readonly string[], pattern: RegExp): number {
  return Number(lines.map((line) => pattern.exec(line)?.[1]).find((it) => it !== undefined))
}

describe('the edge', () => {
  it('lets headers through that the product takes', () => {
    const lines = section('global')
    const room =
      numberOf(lines, /^tune.bufsize (\d+)$/) - numberOf(lines, /^tune.maxrewrite (\d+)$/)
    expect(room).toBeGreaterThanOrEqual(HEADER_LIMIT_BYTES)
  })

  it('asks for health in HTTP/1.1: the product answers 505 to what is older', () => {
    const sends = text.split('\n').filter((line) => line.trim().startsWith('http-check send'))
    expect(sends).toHaveLength(2)
    for (const line of sends)
      expect(line).toMatch(/ uri \/logeye\/health\/ready ver HTTP\/1\.1 hdr Host /)
  })

  it('leaves the refusal of a body to the product, up to a limit above its own', () => {
    const most = numberOf(section('backend listener'), /content-length\) gt (\d+)/)
    expect(most).toBeGreaterThan(config.listener.maxBodyBytes)
    expect(most).toBeLessThanOrEqual(config.eventLog.maxBlockBytes)
  })

  it('waits for a search as long as one may take, and a little more', () => {
    const seconds = numberOf(section('backend query'), /^timeout server (\d+)s$/)
    expect(seconds * 1000).toBeGreaterThan(config.search.maxTimeoutMs)
  })

  it.each(['listener', 'query'])(
    'says who sent a request, in place of what the sender says: %s',
    (name) => {
      const lines = section(`backend ${name}`)
      expect(lines).toContain('http-request set-header X-Forwarded-For %[src]')
      expect(text).not.toMatch(/forwardfor|add-header X-Forwarded-For/)
    },
  )

  it('sends a POST again only where nothing was sent, or where the product knows the repeat', () => {
    expect(section('backend listener')).toContain(
      'http-request disable-l7-retry unless { req.hdr(Idempotency-Key) -m found } || { method GET HEAD }',
    )
    expect(section('backend query')).toContain(
      'http-request disable-l7-retry unless { method GET HEAD }',
    )
    const defaults = section('defaults')
    expect(defaults.some((line) => line.startsWith('retry-on'))).toBe(false)
    expect(defaults).toContain('option redispatch 1')
  })

  it('takes out a listener that cannot append, not one whose store is away', () => {
    const expected = section('backend listener').find((line) =>
      line.startsWith('http-check expect'),
    )
    const pattern = /rstring "(.*)"$/.exec(expected ?? '')?.[1]?.replaceAll('\\"', '"') ?? '$^'
    const ready = (eventLog: string, listener: boolean, store: string) =>
      JSON.stringify({
        ready: false,
        engines: { eventLog, store, database: 'ready' },
        processes: {
          front: {
            started: true,
            store: store === 'ready',
            eventLog: eventLog === 'ready',
            listener,
          },
        },
      })
    expect(ready('ready', true, 'missing')).toMatch(new RegExp(pattern))
    expect(ready('missing', true, 'ready')).not.toMatch(new RegExp(pattern))
    expect(ready('ready', false, 'ready')).not.toMatch(new RegExp(pattern))
  })

  it('answers for absent listeners as the listener would', () => {
    const answer = readDeployFile('haproxy/listener-away.http')
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 500 /)
    expect(head).toMatch(/\r\nRetry-After: 1(\r\n|$)/)
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body)).toMatchObject({
      code: 9,
      received: 0,
      accepted: 0,
      rejected: 0,
      errors: [],
    })
  })

  it('knows the services of the compose file by name and port', () => {
    const services = asMap(readDeployYaml('docker-compose.yml').services)
    const servers = [...text.matchAll(/^ {4}server (\S+) (\S+):(\d+)$/gm)]
    expect(servers.map(([, name]) => name)).toEqual([
      'listener-1',
      'listener-2',
      'query-1',
      'query-2',
    ])
    for (const [, name = '', host, port] of servers) {
      expect(host).toBe(name)
      const environment = asMap(asMap(services[name]).environment)
      expect(String(environment.LOGEYE_HTTP_PLAIN_PORT ?? config.http.plainPort)).toBe(port)
    }
  })

  it('logs no address, which may hold a token or a password', () => {
    const format = section('defaults').find((line) => line.startsWith('log-format'))
    expect(format).toBeDefined()
    expect(format).not.toMatch(/%(\[|\{\+Q\}r|r\b|HU|HP|HQ)/)
  })
})
