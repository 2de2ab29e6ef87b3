// Raw routes against real sockets: what an engine does wrong or leaves open must not reach our
// callers.
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { RawExchange } from '../../../infra/http/port.ts'
import {
  describeEngines,
  engineLimits,
  lines,
  MIB,
  makeRoundTrips,
  talk,
  url,
  useServers,
} from '../../support/apps/http-server.ts'
import { missingEvenInCi } from '../../support/run/missing.ts'
import { SOON } from '../../support/run/patience.ts'
import { itUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { repeatUntil, waitUntil } from '../../support/run/wait-until.ts'

useServers()

const echo = (exchange: RawExchange): void =>
  exchange.collectBody(
    4 * MIB,
    (body) => exchange.answer(200, [['x-length', String(body.length)]], body),
    (reason) => exchange.answer(400, [], reason),
  )

/** uWebSockets.js ends what is slower than about 1 KB/s after 12 s. */
const ENGINE_LIMIT_MS = 14_000

describeEngines('a raw route', ({ open, name }) => {
  it('gives the whole body, whatever its size', async () => {
    const server = await open({ rawRoutes: [{ path: '/raw', handle: echo }] })
    for (const size of [0, 1, 511, 70_000, 3 * MIB + 1, 4 * MIB]) {
      const body = Buffer.alloc(size, 'aü\0z')
      const answer = await fetch(url(server, '/raw'), { method: 'POST', body })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-length')).toBe(String(size))
      expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true)
    }
  })

  it('gives a chunked body that comes in small pieces', async () => {
    const server = await open({ rawRoutes: [{ path: '/raw', handle: echo }] })
    const body = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < 40; at++) {
          controller.enqueue(Buffer.from(`${at},`))
          await setImmediate()
        }
        controller.close()
      },
    })
    const answer = await fetch(url(server, '/raw'), {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit)
    expect(await answer.text()).toBe(Array.from({ length: 40 }, (_, at) => `${at},`).join(''))
  })

  if (name === 'node')
    it('answers a sender that pauses for seconds between its bytes', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const server = await open({ rawRoutes: [{ path: '/raw', handle: echo }], clock: testClock })
      const socket = connect(server.port, '127.0.0.1')
      let text = ''
      socket.on('data', (data) => {
        text += data.toString()
      })
      socket.write('POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n')
      for (let sent = 1; sent < 10; sent += 1) {
        socket.write('a')
        await makeRoundTrips(3, url(server, '/other'))
        testClock.advance(11_000)
        vi.advanceTimersByTime(1000)
      }
      socket.write('a')
      await waitUntil(
        'the answer is there',
        () => text.endsWith('aaaaaaaaaa'),
        () => text,
      )
      expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
      socket.destroy()
    })
  else
    itUnless(
      engineLimits(),
      'answers a sender that is slower than the engine would bear',
      async () => {
        const server = await open({ rawRoutes: [{ path: '/raw', handle: echo }] })
        const socket = connect(server.port, '127.0.0.1')
        socket.write('POST /raw HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
        let text = ''
        socket.on('data', (data) => {
          text += data.toString()
        })
        const endMs = testClock.elapsedMs() + ENGINE_LIMIT_MS
        await repeatUntil(
          () => testClock.elapsedMs() > endMs,
          () => void socket.write('1\r\na\r\n'),
        )
        socket.write('0\r\n\r\n')
        await waitUntil(
          'the answer is there',
          () => /a{100,}$/.test(text),
          () => text,
        )
        expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
        socket.destroy()
      },
    )

  it('drains a body above the limit and answers on a connection that goes on', async () => {
    const server = await open({ rawRoutes: [{ path: '/raw', handle: echo }] })
    const large = Buffer.alloc(5 * MIB, 120)
    const head = `POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: ${large.length}\r\n\r\n`
    const next = 'POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nnext'
    const { text } = await talk(server.port, [head, large, next], (seen) => seen.endsWith('next'))
    expect(text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*limitHTTP\/1.1 200 OK/)
  })

  it('answers only when the body is drained, also when the handler does not read it', async () => {
    const server = await open({
      rawRoutes: [{ path: '/raw', handle: (exchange) => exchange.answer(405, [], 'no') }],
    })
    const next = 'GET /raw HTTP/1.1\r\nHost: x\r\n\r\n'
    const parts = ['PUT /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc', 'def', next]
    const { text } = await talk(server.port, parts, (seen) => seen.split('HTTP/1.1 405').length > 2)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 405'])
  })

  it('tells an abort once, and takes no answer after it', async () => {
    const seen: string[] = []
    let isAsked = false
    const server = await open({
      rawRoutes: [
        {
          path: '/raw',
          handle: (exchange) => {
            isAsked = true
            exchange.onAborted(() => {
              seen.push(`aborted ${exchange.isAborted}`)
              exchange.answer(200, [], 'late')
            })
            exchange.collectBody(
              MIB,
              () => seen.push('body'),
              () => seen.push('large'),
            )
          },
        },
      ],
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write('POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
    await expect.poll(() => isAsked, SOON).toBe(true)
    socket.destroy()
    await expect.poll(() => seen, SOON).toEqual(['aborted true'])
  })

  it('counts a body against the budget while it comes, and gives all back', async () => {
    let free = 3 * MIB
    const reasons: string[] = []
    const budget = {
      take: (bytes: number) => {
        if (bytes > free) return false
        free -= bytes
        return true
      },
      give: (bytes: number) => {
        free += bytes
      },
    }
    const server = await open({
      rawRoutes: [
        {
          path: '/raw',
          handle: (exchange) =>
            exchange.collectBody(
              10 * MIB,
              () => exchange.answer(200, [], 'ok'),
              (reason) => {
                reasons.push(reason)
                exchange.answer(500, [], reason)
              },
              budget,
            ),
        },
      ],
    })
    const post = (bytes: number) =>
      fetch(url(server, '/raw'), { method: 'POST', body: Buffer.alloc(bytes, 97) })
    expect((await post(MIB)).status).toBe(200)
    expect((await post(8 * MIB)).status).toBe(500)
    const socket = connect(server.port, '127.0.0.1')
    socket.write('POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\nhalf')
    await expect.poll(() => free, SOON).toBeLessThan(3 * MIB)
    socket.destroy()
    await expect.poll(() => free, SOON).toBe(3 * MIB)
    expect(reasons).toEqual(['budget'])
  })

  it('answers 500 when the handler throws, in its first turn or later, and goes on', async () => {
    const server = await open({
      rawRoutes: [
        {
          path: '/raw',
          handle: (exchange) => {
            if (exchange.query === 'now') throw new Error('planted')
            exchange.collectBody(
              MIB,
              () => {
                throw new Error('planted later')
              },
              () => undefined,
            )
          },
        },
      ],
    })
    const post = (query: string) =>
      fetch(url(server, `/raw?${query}`), { method: 'POST', body: 'x' })
    expect((await post('now')).status).toBe(500)
    expect((await post('later')).status).toBe(500)
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain('planted')
  })

  it('lets a client that waits for 100 Continue go on', async () => {
    const server = await open({ rawRoutes: [{ path: '/raw', handle: echo }] })
    const head =
      'POST /raw HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n'
    const { text } = await talk(server.port, [head], (seen) => seen.length > 0)
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n/)
  })

  const hasIpv6 = Object.values(networkInterfaces()).some((it) =>
    it?.some(({ address }) => address === '::1'),
  )
  for (const [host, peer, reason] of [
    ['127.0.0.1', '127.0.0.1', undefined],
    ['[::1]', '::1', missingEvenInCi(hasIpv6, 'there is no IPv6 here')],
  ] as const)
    itUnless(reason, `names the peer as text on a socket of both families: ${peer}`, async () => {
      const peers: string[] = []
      const server = await open({
        address: '',
        rawRoutes: [
          {
            path: '/raw',
            handle: (exchange) => {
              peers.push(exchange.peer)
              exchange.answer(200, [], '')
            },
          },
        ],
      })
      const headers = { 'x-forwarded-for': '9.9.9.9' }
      await fetch(`http://${host}:${server.port}/raw`, { headers })
      expect(peers).toEqual([peer])
    })

  it('believes a trusted proxy, by header and by PROXY line', async () => {
    const peers: string[] = []
    const server = await open({
      trustedProxies: ['127.0.0.0/8'],
      rawRoutes: [
        {
          path: '/raw',
          handle: (exchange) => {
            peers.push(exchange.peer)
            exchange.answer(200, [], '')
          },
        },
      ],
    })
    // The client forged a header of its own, and the proxies appended theirs.
    const forged = 'X-Forwarded-For: 6.6.6.6\r\n'
    const appended = 'X-Forwarded-For: 7.7.7.7, 9.9.9.9\r\nX-Forwarded-For: 127.0.0.2\r\n'
    await talk(
      server.port,
      [Buffer.from(`GET /raw HTTP/1.1\r\nHost: x\r\n${forged}${appended}\r\n`)],
      (seen) => seen !== '',
    )
    const proxyLine = Buffer.from('0d0a0d0a000d0a515549540a2111000c090807067f00000101010202', 'hex')
    const request = 'GET /raw HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.1.1.1\r\n\r\n'
    await talk(
      server.port,
      [Buffer.concat([proxyLine, Buffer.from(request)])],
      (seen) => seen !== '',
    )
    // The sender that the line names is not trusted itself, so its header is not believed.
    expect(peers).toEqual(['9.9.9.9', '9.8.7.6'])
  })
})
