import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, loadConfig, printConfig, SETTINGS } from '../../../infra/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'logeye-test-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fromFile = (text: string, environment = {}) => {
  const file = join(folder, 'config.json')
  writeFileSync(file, text)
  return loadConfig({ environment, file })
}
const mistakesOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('the configuration', () => {
  it('needs nothing', () => {
    const { config } = loadConfig({ environment: { PATH: '/bin' } })
    expect(config.http.plainPort).toBe(30_303)
    expect(config.roles).toContain('store')
    expect(config.storeUrl).toBeUndefined()
  })

  it('takes sizes as the reference prints them, and says what a size is', () => {
    const { config } = loadConfig({
      environment: {
        LOGEYE_LISTENER_MAX_BODY_BYTES: '12 MiB',
        LOGEYE_LISTENER_DISK_RESERVE_BYTES: '0',
        LOGEYE_WRITER_MAX_BATCH_BYTES: '33554432',
      },
    })
    expect(config.listener).toMatchObject({ maxBodyBytes: 12 * 1024 ** 2, diskReserveBytes: 0 })
    expect(config.writer.maxBatchBytes).toBe(32 * 1024 ** 2)
    expect(fromFile('{"listener":{"maxEventBytes":"512k"}}').config.listener.maxEventBytes).toBe(
      524_288,
    )
    const environment = { LOGEYE_LISTENER_MAX_BODY_BYTES: '10 MiBs', LOGEYE_HTTP_PLAIN_PORT: 'x' }
    const said = mistakesOf(() => loadConfig({ environment }))
    expect(said).toContain(
      'LOGEYE_LISTENER_MAX_BODY_BYTES: must be a size: whole bytes, or a number',
    )
    expect(said).toContain('LOGEYE_HTTP_PLAIN_PORT: must be a whole number')
    expect(said).not.toContain('expected number')
  })

  it('takes no blocks that could not hold every event', () => {
    const environment = { LOGEYE_EVENT_LOG_MAX_BLOCK_BYTES: '2 MiB' }
    const said = mistakesOf(() => loadConfig({ environment }))
    expect(said).toMatch(/LOGEYE_EVENT_LOG_MAX_BLOCK_BYTES: .*3145728/)
  })

  it('derives the name in the environment from the path', () => {
    const variables = SETTINGS.map((it) => it.variable)
    expect(variables).toEqual([...new Set(variables)])
    expect(variables).toEqual(
      expect.arrayContaining([
        'LOGEYE_EVENT_LOG_URL',
        'LOGEYE_STORE_URL',
        'LOGEYE_DATABASE_URL',
        'LOGEYE_DATA_DIR',
        'LOGEYE_PUBLIC_URL',
        'LOGEYE_ROLES',
        'LOGEYE_HTTP_PLAIN_PORT',
        'LOGEYE_HTTP_TRUSTED_PROXIES',
        'LOGEYE_LISTENER_MAX_BYTES_IN_FLIGHT',
        'LOGEYE_LOG_LEVEL',
      ]),
    )
  })

  it('takes the environment before the file before the default, and says so', () => {
    const loaded = fromFile('{"http":{"plainPort":1000,"tlsPort":2000}}', {
      LOGEYE_HTTP_PLAIN_PORT: '3000',
      LOGEYE_ROLES: 'listener, query',
      LOGEYE_LOG_LEVEL: '',
    })
    expect(loaded.config.http).toMatchObject({ plainPort: 3000, tlsPort: 2000 })
    expect(loaded.config.roles).toEqual(['listener', 'query'])
    const printed = printConfig(loaded)
    expect(printed).toContain('http.plainPort = 3000  (LOGEYE_HTTP_PLAIN_PORT)')
    expect(printed).toContain('http.tlsPort = 2000  (file)')
    expect(printed).toContain('log.level = "info"  (default)')
  })

  it('names every mistake in one report', () => {
    const report = mistakesOf(() =>
      fromFile('{"http":{"plainPort":null,"colour":1},"speed":2,"storeUrl":"ftp://x"}', {
        LOGEYE_HTTP_PLAIN_PROT: '1',
        LOGEYE_LISTENER_MAX_DEPTH: '0x10',
        LOGEYE_ROLES: 'listener,gateway',
        LOGEYE_HTTP_TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/99',
        LOGEYE_HTTP_KEY_FILE: 'key.pem',
        LOGEYE_TEST_ANYTHING: '1',
      }),
    )
    const expected = [
      'LOGEYE_HTTP_PLAIN_PROT: there is no such setting, did you mean LOGEYE_HTTP_PLAIN_PORT?',
      'http.plainPort: ',
      'http.colour: there is no such setting',
      'speed: there is no such setting',
      'storeUrl: ',
      'LOGEYE_LISTENER_MAX_DEPTH: ',
      'LOGEYE_ROLES: ',
      "LOGEYE_HTTP_TRUSTED_PROXIES: '10.0.0.0/99' has a prefix length",
    ]
    for (const part of expected) expect(report).toContain(part)
    expect(report).not.toContain('LOGEYE_TEST')
  })

  it('wants certificate and key together', () => {
    const report = mistakesOf(() => loadConfig({ environment: { LOGEYE_HTTP_KEY_FILE: 'k' } }))
    expect(report).toContain('certificateFile and keyFile go together')
  })

  it.each(['', '[]', '{"a":', 'null'])('refuses the file %j', (text) => {
    expect(mistakesOf(() => fromFile(text))).toContain('config.json: ')
  })

  it('shows no password, however it is printed', () => {
    const loaded = loadConfig({
      environment: {
        // Whatever the folder of the tests is called.
        LOGEYE_DATA_DIR: '/data',
        LOGEYE_STORE_URL: 'http://user:p%40ss:w@rd@host:8123/db?x=1&access_token=hidden',
        LOGEYE_DATABASE_URL: 'postgres://:word@host/db',
        LOGEYE_HTTP_METRICS_TOKEN: 'hidden-hidden-hidden-hidden',
      },
    })
    const { config } = loaded
    const texts = [
      printConfig(loaded),
      JSON.stringify(config),
      inspect(config),
      String(config.storeUrl),
    ]
    for (const text of texts) expect(text).not.toMatch(/ss:w|rd@|word|hidden/)
    expect(printConfig(loaded)).toContain('http://user:***@host:8123/db?x=1&access_token=***')
    expect(config.databaseUrl?.reveal()).toBe('postgres://:word@host/db')
  })

  it('takes a token for the metrics that cannot be guessed, and does not show the one it refuses', () => {
    const read = (token: string) =>
      loadConfig({ environment: { LOGEYE_HTTP_METRICS_TOKEN: token } }).config.http.metricsToken
    const token = 'k3.Y_9~+/-'.repeat(3)
    expect(read(token)?.is(token)).toBe(true)
    expect(read(token)?.is(`${token}x`)).toBe(false)
    for (const wrong of ['hidden-and-short', `hidden ${token}`, 'hidden'.repeat(40)]) {
      const report = mistakesOf(() => read(wrong))
      expect(report).toContain('LOGEYE_HTTP_METRICS_TOKEN: must be 24 to 200')
      expect(report).not.toContain('hidden')
    }
  })

  it('cannot be changed', () => {
    const { config } = loadConfig({ environment: {} })
    expect(() => Object.assign(config.http, { plainPort: 1 })).toThrow(TypeError)
    expect(() => Object.assign(config.roles, ['x'])).toThrow(TypeError)
  })
})
