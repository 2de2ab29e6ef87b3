// The bridge of each engine to fetch against real sockets.

import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { HttpServerOptions } from '../../../infra/http/port.ts'
import {
  describeEngines,
  MIB,
  makeRoundTrips,
  talk,
  url,
  useServers,
} from '../../support/apps/http-server.ts'
import { SOON } from '../../support/run/patience.ts'

useServers()

/** Of an answer that its reader leaves lying. */
const TOTAL = 64 * MIB

describeEngines('the fetch bridge', ({ open }) => {
  const app = new Hono()
  app.get('/text', (c) => c.text('grün'))
  app.post('/echo', async (c) =>
    c.json({ body: await c.req.text(), type: c.req.header('content-type') }),
  )
  app.get('/cookies', (c) => {
    c.header('set-cookie', 'a=1', { append: true })
    c.header('set-cookie', 'b=2', { append: true })
    return c.body(null, 204)
  })
  app.get('/query', (c) => c.text(String((c.req.query('q') ?? '').length)))
  app.get('/sized', (c) => {
    const wanted = Number(c.req.query('bytes'))
    let left = Number(c.req.query('real') ?? wanted)
    const body = new ReadableStream({
      async pull(controller) {
        await setImmediate()
        const bytes = Math.min(left, 300_000)
        if (bytes > 0) controller.enqueue(new Uint8Array(bytes).fill(115))
        left -= bytes
        if (left === 0) controller.close()
      },
    })
    return c.body(body, 200, { 'content-length': String(wanted) })
  })
  app.options('/text', (c) => c.text('yes'))
  app.all('/refused', (c) => c.text('no', 405, { allow: 'GET' }))
  app.get('/throws', () => {
    throw new Error('planted')
  })
  app.onError((error) => {
    throw error
  })
  const bridge: Partial<HttpServerOptions> = { fetch: (request) => app.fetch(request) }

  it('answers with length, type and UTF-8', async () => {
    const server = await open(bridge)
    const answer = await fetch(url(server, '/text'))
    expect(answer.headers.get('content-length')).toBe('5')
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await answer.text()).toBe('grün')
  })

  it('answers HEAD without a body and OPTIONS and unknown paths through the application', async () => {
    const server = await open(bridge)
    const ask = async (method: string, path: string) => {
      const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
      const { text } = await talk(server.port, [head], (seen) => seen.includes('\r\n\r\n'))
      return text
    }
    const head = await ask('HEAD', '/text')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]+\r\n\r\n$/)
    expect(head.toLowerCase()).not.toContain('content-length')
    expect(await ask('OPTIONS', '/nothing')).toMatch(/^HTTP\/1\.1 404 /)
    expect(await ask('TRACE', '/text')).toMatch(/^HTTP\/1\.1 405 /)
    // As the application refuses any other method that it does not serve there.
    expect(await ask('TRACE', '/refused')).toMatch(/^HTTP\/1\.1 405 [\s\S]+\r\nallow: GET\r\n/i)
  })

  it('refuses a host that would make another path of the one that was asked for', async () => {
    const server = await open(bridge)
    for (const host of ['x/text?', 'x/text#', 'x\\text?', 'user@x']) {
      const head = `GET /nothing HTTP/1.1\r\nHost: ${host}\r\n\r\n`
      const { text } = await talk(server.port, [head], (seen) => seen.includes('\r\n\r\n'))
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
    }
  })

  it('does not gather requests behind a refusal while an answer before it lasts', async () => {
    const server = await open({ fetch: () => new Promise(() => undefined) })
    const one = 'GET /lasts HTTP/1.1\r\nHost: x\r\n\r\n'
    const faulty = one.replace('Host: x', 'Host: x\r\nHost: y')
    const { text, isEnded } = await talk(server.port, [one, faulty, one.repeat(2000)])
    expect({ text, isEnded }).toEqual({ text: '', isEnded: true })
  })

  it('keeps each of several values of a header, and answers 204 without a length', async () => {
    const server = await open(bridge)
    const { text } = await talk(server.port, ['GET /cookies HTTP/1.1\r\nHost: x\r\n\r\n'], (seen) =>
      seen.includes('\r\n\r\n'),
    )
    expect(text).toContain('set-cookie: a=1\r\nset-cookie: b=2\r\n')
    expect(text.toLowerCase()).not.toContain('content-length')
  })

  it('takes a body of 1 MiB and refuses a larger one', async () => {
    const server = await open(bridge)
    const post = (bytes: number) =>
      fetch(url(server, '/echo'), {
        method: 'POST',
        body: 'x'.repeat(bytes),
        headers: { 'content-type': 'text/x' },
      })
    const answer = await post(MIB)
    expect(await answer.json()).toEqual({ body: 'x'.repeat(MIB), type: 'text/x' })
    expect((await post(MIB + 1)).status).toBe(413)
  })

  it('takes an address of 98,000 bytes', async () => {
    const server = await open(bridge)
    const answer = await fetch(url(server, `/query?q=${'a'.repeat(98_000)}`))
    expect(await answer.text()).toBe('98000')
  })

  it('answers 500 without the text of a bug', async () => {
    const server = await open(bridge)
    const answer = await fetch(url(server, '/throws'))
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('planted')
  })

  it('aborts the signal when the client goes, also in the middle of an answer', async () => {
    const seen: string[] = []
    const begun: string[] = []
    const server = await open({
      fetch: (request) => {
        const name = new URL(request.url).pathname
        begun.push(name)
        request.signal.addEventListener('abort', () => seen.push(name))
        if (name === '/silent') return new Promise<Response>(() => undefined)
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from('begin')),
          cancel: () => void seen.push('source cancelled'),
        })
        return new Response(body)
      },
    })
    for (const path of ['/silent', '/streaming']) {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await expect.poll(() => begun, SOON).toContain(path)
      if (path === '/streaming') await once(socket, 'data')
      socket.destroy()
    }
    await expect
      .poll(() => seen.toSorted(), SOON)
      .toEqual(['/silent', '/streaming', 'source cancelled'])
  })

  it('cuts the connection when the body fails, so that no answer looks whole', async () => {
    const server = await open({
      fetch: () => {
        let pulls = 0
        const body = new ReadableStream({
          async pull(controller) {
            pulls += 1
            await setImmediate()
            if (pulls > 3) controller.error(new Error('planted'))
            else controller.enqueue(Buffer.from('part'))
          },
        })
        return new Response(body)
      },
    })
    const { text, isEnded } = await talk(server.port, ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'])
    expect(text).toContain('part')
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(isEnded).toBe(true)
    await expect(fetch(url(server, '/')).then((answer) => answer.text())).rejects.toThrow()
  })

  it('streams a body with a declared length, and cuts one that is shorter or longer', async () => {
    const server = await open(bridge)
    const whole = await fetch(url(server, '/sized?bytes=3000001'))
    expect(whole.headers.get('content-length')).toBe('3000001')
    expect((await whole.arrayBuffer()).byteLength).toBe(3_000_001)
    for (const real of [2_000_000, 4_000_000]) {
      const answer = fetch(url(server, `/sized?bytes=3000001&real=${real}`))
      await expect(answer.then((it) => it.arrayBuffer())).rejects.toThrow()
    }
  })

  it.each([
    ['chunked', undefined],
    ['sized', TOTAL],
  ])('waits for a slow reader of a %s answer', async (_, length) => {
    let produced = 0
    const server = await open({
      fetch: (request) => {
        if (new URL(request.url).pathname === '/other') return new Response()
        const body = new ReadableStream({
          pull(controller) {
            if (produced >= TOTAL) return controller.close()
            produced += MIB
            controller.enqueue(new Uint8Array(MIB).fill(120))
          },
        })
        return new Response(body, { headers: length ? { 'content-length': String(length) } : {} })
      },
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.pause()
    // One that did not wait would produce in each turn.
    await makeRoundTrips(100, url(server, '/other'))
    expect(produced).toBeGreaterThan(0)
    expect(produced).toBeLessThan(20 * MIB)
    let received = 0
    const done = new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        received += data.length
        if (received > TOTAL) resolve()
      })
    })
    socket.resume()
    await done
    expect(produced).toBe(TOTAL)
    socket.destroy()
  })
})
