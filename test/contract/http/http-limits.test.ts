// What ends a connection, and who is at its other end: limits of time and size, sides that close
// early, PROXY headers.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeSelfSigned } from '../../../infra/cli/self-signed.ts'
import type { RawExchange } from '../../../infra/http/port.ts'
import {
  describeEngines,
  engineLimits,
  MIB,
  makeRoundTrips,
  talk,
  url,
  useServers,
} from '../../support/apps/http-server.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { SOON } from '../../support/run/patience.ts'
import { itUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

useServers()

const rawRoutes = [
  {
    path: '/raw',
    handle: (exchange: RawExchange): void =>
      exchange.collectBody(
        MIB,
        (body) => exchange.answer(200, [], `${exchange.peer} ${body.length}`),
        () => exchange.answer(400, [], 'no'),
      ),
  },
]
/** PROXY protocol 2: 9.8.7.6 to 127.0.0.1. */
const PROXY = Buffer.from('0d0a0d0a000d0a515549540a2111000c090807067f00000101010202', 'hex')
const GET = 'GET /raw HTTP/1.1\r\nHost: x\r\n\r\n'
const answered = (text: string) => /\r\n\r\n./.test(text)

describeEngines('a connection', ({ open, name }) => {
  it('takes a raw route with an address of 98,000 bytes, and answers 431 far above it', async () => {
    const server = await open({ rawRoutes })
    const ask = (bytes: number) =>
      talk(server.port, [GET.replace('/raw', `/raw?q=${'a'.repeat(bytes)}`)], answered)
    expect((await ask(98_000)).text).toMatch(/^HTTP\/1\.1 200 /)
    expect((await ask(300_000)).text).toMatch(/^HTTP\/1\.1 431 /)
  })

  const cut = 'that sends no more of its body is cut, and the budget comes back'
  itUnless(name === 'uws' ? engineLimits() : undefined, cut, async () => {
    // The server looks at its connections by a timer.
    if (name === 'node') vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const clock = makeManualClock()
    let taken = 0
    const budget = {
      take: (bytes: number) => {
        taken += bytes
        return true
      },
      give: (bytes: number) => {
        taken -= bytes
      },
    }
    let isAborted = false
    const server = await open({
      clock,
      rawRoutes: [
        {
          path: '/raw',
          handle: (exchange) => {
            exchange.onAborted(() => {
              isAborted = true
            })
            exchange.collectBody(
              MIB,
              () => undefined,
              () => undefined,
              budget,
            )
          },
        },
      ],
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nhalf')
    await expect.poll(() => taken, SOON).toBeGreaterThan(0)
    if (name === 'node') {
      for (const passedMs of [0, 11_900]) {
        clock.advance(passedMs)
        vi.advanceTimersByTime(1000)
        expect(isAborted).toBe(false)
      }
      clock.advance(101)
      vi.advanceTimersByTime(1000)
    }
    await waitUntil('it is cut', () => isAborted)
    expect(taken).toBe(0)
    socket.destroy()
  })

  itUnless(engineLimits(), 'that is idle is closed after some seconds', async () => {
    const server = await open({ rawRoutes })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(GET)
    await once(socket, 'data')
    const beganMs = testClock.elapsedMs()
    await once(socket, 'close')
    expect(testClock.elapsedMs() - beganMs).toBeGreaterThan(5000)
  })

  it('that a trusted proxy opens may begin with a PROXY header', async () => {
    const server = await open({ rawRoutes, trustedProxies: ['127.0.0.1'] })
    const whole = await talk(server.port, [Buffer.concat([PROXY, Buffer.from(GET)])], (text) =>
      answered(text),
    )
    expect(whole.text).toContain('9.8.7.6 0')
    const without = await talk(server.port, [GET], answered)
    expect(without.text).toContain('127.0.0.1 0')
  })

  it('of somebody else is not believed', async () => {
    const server = await open({ rawRoutes })
    const { text } = await talk(server.port, [Buffer.concat([PROXY, Buffer.from(GET)])], answered)
    expect(text).not.toContain('9.8.7.6')
    const trusting = await open({ rawRoutes, trustedProxies: ['10.0.0.1'] })
    const other = await talk(trusting.port, [Buffer.concat([PROXY, Buffer.from(GET)])], answered)
    expect(other.text).not.toContain('9.8.7.6')
  })

  // The other one closes a connection whose other end closes its side, and reads no PROXY header in
  // pieces or ahead of TLS.
  if (name === 'uws') return

  it('whose sender closes its side still gets the answer', async () => {
    const server = await open({ rawRoutes, fetch: () => new Response('health') })
    for (const [request, expected] of [
      ['POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}', /127\.0\.0\.1 2$/],
      ['GET /health HTTP/1.0\r\n\r\n', /health$/],
    ] as const) {
      const socket = connect({ port: server.port, host: '127.0.0.1' })
      socket.end(request)
      let text = ''
      socket.on('data', (data) => {
        text += data.toString()
      })
      await once(socket, 'close')
      expect(text).toMatch(expected)
    }
  })

  it('may bring its PROXY header byte by byte; a broken one ends it', async () => {
    const server = await open({ rawRoutes, trustedProxies: ['127.0.0.1'] })
    const pieces = [...PROXY].map((byte) => Buffer.from([byte]))
    const { text } = await talk(server.port, [...pieces, GET], answered)
    expect(text).toContain('9.8.7.6 0')
    const broken = Buffer.from(PROXY)
    broken[12] = 0x31
    const { text: nothing, isEnded } = await talk(server.port, [broken, GET], answered)
    expect({ nothing, isEnded }).toEqual({ nothing: '', isEnded: true })
  })

  it('that is refused answers what came before it first', async () => {
    let answer: (() => void) | undefined
    const server = await open({
      rawRoutes: [
        {
          path: '/raw',
          handle: (exchange) => {
            answer = () => exchange.answer(200, [], 'late')
          },
        },
      ],
    })
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.write(`${GET}GET /raw HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`)
    await expect.poll(() => answer, SOON).toBeDefined()
    await makeRoundTrips(20, url(server, '/other'))
    expect(text).toBe('')
    answer?.()
    await once(socket, 'close')
    expect(text.match(/HTTP\/1\.1 \d+|late/g)).toEqual(['HTTP/1.1 200', 'late', 'HTTP/1.1 400'])
  })

  describe('over TLS', () => {
    let folder = ''
    const files = () => ({ certificateFile: join(folder, 'a.crt'), keyFile: join(folder, 'a.key') })
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'logeye-test-tls-'))
      const { certificateFile, keyFile } = files()
      const { certificate, key } = makeSelfSigned(['a'], testClock)
      writeFileSync(certificateFile, certificate)
      writeFileSync(keyFile, key)
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it('of a trusted proxy may begin with a PROXY header', async () => {
      const server = await open({ rawRoutes, trustedProxies: ['127.0.0.1'], tls: files() })
      for (const [header, peer] of [
        [PROXY, '9.8.7.6 0'],
        [Buffer.alloc(0), '127.0.0.1 0'],
      ] as const) {
        const plain = connect(server.port, '127.0.0.1')
        await once(plain, 'connect')
        if (header.length > 0) plain.write(header)
        const socket = connectTls({ socket: plain, rejectUnauthorized: false })
        socket.write(GET)
        const [data] = (await once(socket, 'data')) as [Buffer]
        expect(data.toString()).toContain(peer)
        socket.destroy()
      }
    })
  })
})
