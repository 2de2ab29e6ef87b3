// Ports, stop and certificates of the HTTP server.
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { makeSelfSigned } from '../../../infra/cli/self-signed.ts'
import { canSharePort } from '../../../infra/http/node/listen.ts'
import { describeEngines, lines, url, useServers } from '../../support/apps/http-server.ts'
import { findFreePort } from '../../support/product/product.ts'
import { missingEvenInCi } from '../../support/run/missing.ts'
import { SOON } from '../../support/run/patience.ts'
import { itUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { repeatUntil, WAIT_LIMIT_MS, waitUntil } from '../../support/run/wait-until.ts'

useServers()

describeEngines('start and stop', ({ open, name }) => {
  it('refuses a port that another process has, with the setting to change', async () => {
    const server = await open({ address: '' })
    const message = `port ${server.port} is already taken`
    await expect(open({ address: '', port: server.port })).rejects.toThrow(message)
    await expect(open({ address: '', port: server.port, sharePort: true })).rejects.toThrow(message)
    await expect(open({ port: server.port })).rejects.toThrow('LOGEYE_HTTP_PLAIN_PORT')
  })

  const isAlone = name === 'node' && !canSharePort()
  const reason = `node:http of Node ${process.versions.node} cannot share a port`
  itUnless(missingEvenInCi(!isAlone, reason), 'shares a port when it is told to', async () => {
    const first = await open({ sharePort: true, port: await findFreePort() })
    const second = await open({ sharePort: true, port: first.port })
    expect(second.port).toBe(first.port)
  })

  it('answers what is open when it stops, refuses what is new, and closes idle connections', async () => {
    const answers: (() => void)[] = []
    const server = await open({
      rawRoutes: [
        {
          path: '/raw',
          handle: (exchange) => void answers.push(() => exchange.answer(200, [], 'done')),
        },
      ],
      fetch: () => new Promise((resolve) => answers.push(() => resolve(new Response('done')))),
    })
    const raw = fetch(url(server, '/raw'), { method: 'POST', body: 'x' })
    const bridged = fetch(url(server, '/bridged'))
    const idle = connect(server.port, '127.0.0.1')
    let isIdleClosed = false
    idle.on('error', () => undefined)
    await once(idle, 'connect')
    idle.on('close', () => {
      isIdleClosed = true
    })
    await expect.poll(() => answers.length, SOON).toBe(2)
    const stopped = server.stop(WAIT_LIMIT_MS)
    await expect(fetch(url(server, '/raw'))).rejects.toThrow()
    for (const answer of answers) answer()
    for (const answer of [await raw, await bridged]) {
      expect(await answer.text()).toBe('done')
      expect(answer.headers.get('connection')).toBe('close')
    }
    await stopped
    await expect.poll(() => isIdleClosed, SOON).toBe(true)
  })

  it('cuts a request that never ends behind its limit, and stops', async () => {
    let begun = 0
    const server = await open({
      fetch: () => {
        begun += 1
        return new Promise(() => undefined)
      },
    })
    const hanging = fetch(url(server, '/')).then(
      () => 'answered',
      () => 'cut',
    )
    await expect.poll(() => begun, SOON).toBe(1)
    await server.stop(50)
    expect(await hanging).toBe('cut')
  })
})

describeEngines('TLS', ({ open }) => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'logeye-test-tls-'))
    for (const name of ['one', 'two']) {
      const { certificate, key } = makeSelfSigned([name], testClock)
      writeFileSync(join(folder, `${name}.crt`), certificate)
      writeFileSync(join(folder, `${name}.key`), key)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  // The server looks at its files by a timer.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())
  const look = () => vi.advanceTimersByTime(1000)

  const use = (name: string) => {
    copyFileSync(join(folder, `${name}.crt`), join(folder, 'used.crt'))
    copyFileSync(join(folder, `${name}.key`), join(folder, 'used.key'))
  }
  const files = () => ({
    certificateFile: join(folder, 'used.crt'),
    keyFile: join(folder, 'used.key'),
  })

  /** Name in the certificate and the body of one answer. */
  async function ask(port: number): Promise<{ name: string; text: string; socket: TLSSocket }> {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    return {
      name: String(socket.getPeerCertificate().subject.CN),
      text: await askAgain(socket),
      socket,
    }
  }
  async function askAgain(socket: TLSSocket): Promise<string> {
    socket.write('GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [data] = (await once(socket, 'data')) as [Buffer]
    return data.toString().split('\r\n\r\n')[1] ?? ''
  }

  it('takes a renewed pair without a lost request, and older connections go on', async () => {
    use('one')
    const server = await open({ tls: files(), fetch: (request) => new Response(request.url) })
    const older = await ask(server.port)
    expect(older).toMatchObject({ name: 'one', text: 'https://localhost/x' })
    let isOver = false
    const names: string[] = []
    const failures: unknown[] = []
    const askOnce = async () => {
      try {
        const { name, socket } = await ask(server.port)
        names.push(name)
        socket.destroy()
      } catch (error) {
        failures.push(error)
      }
    }
    const flood = Array.from({ length: 4 }, () => repeatUntil(() => isOver, askOnce))
    await waitUntil('requests meet the first pair', () => names.length > 20)
    use('two')
    // A pair that was half written is looked at again.
    await waitUntil('requests meet the second pair', () => {
      look()
      return names.at(-1) === 'two'
    })
    const before = names.length
    await waitUntil('more requests meet it', () => names.length > before + 20)
    isOver = true
    await Promise.all(flood)
    expect(failures).toEqual([])
    expect([...new Set(names)]).toEqual(['one', 'two'])
    expect(await askAgain(older.socket)).toBe('https://localhost/x')
    older.socket.destroy()
  })

  it('keeps the old pair while the new one does not fit together', async () => {
    use('one')
    const server = await open({ tls: files() })
    copyFileSync(join(folder, 'two.crt'), join(folder, 'used.crt'))
    look()
    await expect.poll(() => lines.join(), SOON).toContain('http.certificate')
    const { name, socket } = await ask(server.port)
    socket.destroy()
    expect(name).toBe('one')
  })

  it('refuses to start with a pair that cannot be used', async () => {
    use('one')
    copyFileSync(join(folder, 'two.key'), join(folder, 'used.key'))
    await expect(open({ tls: files() })).rejects.toMatchObject({ code: 'http.certificate' })
  })
})
