// Bodies that stream, through real sockets: node:http alone has them.
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import {
  NO_BODY,
  type Route,
  type RouteCall,
  type ServedRoute,
  textContent,
} from '../../../infra/http/routes/route.ts'
import { serveRoutes } from '../../../infra/http/routes/serve-routes.ts'
import { findStreamedRoutes } from '../../../infra/http/routes/streamed-routes.ts'
import { MIB, makeRoundTrips, open, talk, url, useServers } from '../../support/apps/http-server.ts'
import { SOON } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

useServers()

type Streamed = Extract<Route['body'], { kind: 'streamed' }>
const document = { operationId: 'x', tags: [], summary: 'x', answers: {} }
const body: Streamed = {
  kind: 'streamed',
  maxBytes: 8 * MIB,
  isRequired: true,
  contents: textContent('application/octet-stream'),
}

async function serve(handle: (call: RouteCall) => Promise<Response>) {
  const route = { right: 'anonymous', document, handle } as const
  const routes: ServedRoute[] = [
    { ...route, methods: ['POST'], path: '/files/{id}/parts', body },
    {
      ...{ ...route, methods: ['GET'], path: '/plain', body: NO_BODY },
      handle: () => new Response('plain'),
    },
  ]
  const refuse = ({ kind, status }: { kind: string; status: number }) =>
    new Response(kind, { status })
  const fetch = serveRoutes([{ routes, refusalContent: {}, refuse }], {
    ...{ refuse, headers: {} },
    onError: ({ name }) => new Response(name, { status: 500 }),
  })
  return await open({ fetch, streamsBody: findStreamedRoutes(routes) }, 'node')
}

const hashAll = async ({ stream }: RouteCall) => {
  const hash = createHash('sha256')
  for await (const chunk of stream ?? []) hash.update(chunk)
  return new Response(hash.digest('hex'))
}

it('are handed over whole, with a length and without', async () => {
  const server = await serve(hashAll)
  const bytes = Buffer.alloc(7 * MIB + 13, 'abc')
  const wanted = createHash('sha256').update(bytes).digest('hex')
  const post = { method: 'POST', duplex: 'half' } as const
  const whole = await fetch(url(server, '/files/1/parts'), { ...post, body: bytes })
  expect(await whole.text()).toBe(wanted)
  const chunked = new Blob([bytes]).stream()
  const second = await fetch(url(server, '/files/1/parts'), { ...post, body: chunked })
  expect(await second.text()).toBe(wanted)
  expect(await (await fetch(url(server, '/plain'))).text()).toBe('plain')
})

it('are refused at once where the length says that they are too large', async () => {
  let isCalled = false
  const server = await serve(async () => {
    isCalled = true
    return new Response()
  })
  // Nothing of the body is ever sent.
  const head = `POST /files/1/parts HTTP/1.1\r\nHost: x\r\nContent-Length: ${8 * MIB + 1}\r\n\r\n`
  const { text, isEnded } = await talk(server.port, [head])
  expect(text).toMatch(/^HTTP\/1\.1 413 .*\r\n[\s\S]*connection: close[\s\S]*too_large$/i)
  expect([isEnded, isCalled]).toEqual([true, false])
})

it('end with an error where more comes than the route takes, and the sender reads the answer', async () => {
  const server = await serve(hashAll)
  const chunked = new Blob([Buffer.alloc(9 * MIB)]).stream()
  const answer = await fetch(url(server, '/files/1/parts'), {
    ...{ method: 'POST', body: chunked, duplex: 'half' },
  })
  expect([answer.status, await answer.text()]).toEqual([500, 'BodyTooLarge'])
})

it('wait in the client until they are taken', async () => {
  let isTaken = false
  const server = await serve(async (call) => {
    await waitUntil('it is to be taken', () => isTaken)
    return await hashAll(call)
  })
  const socket = connect(server.port, '127.0.0.1')
  const length = 8 * MIB
  socket.write(`POST /files/1/parts HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`)
  const isWritten = new Promise((resolve) => socket.write(Buffer.alloc(length), resolve))
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  // One that took it unasked would read it in the meantime.
  await makeRoundTrips(300, url(server, '/plain'))
  // What neither the server nor the buffers of two sockets hold.
  expect(socket.writableLength + socket.bytesWritten).toBeGreaterThan(length)
  expect(socket.writableLength).toBeGreaterThan(0)
  isTaken = true
  await isWritten
  await expect.poll(() => text, SOON).toMatch(/^HTTP\/1\.1 200/)
  socket.destroy()
})

it('break off where the client goes away', async () => {
  let seen: unknown
  let hasBegun = false
  const server = await serve(async (call) => {
    hasBegun = true
    try {
      return await hashAll(call)
    } catch (error) {
      seen = error
      throw error
    }
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.write('POST /files/1/parts HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
  await expect.poll(() => hasBegun, SOON).toBe(true)
  socket.destroy()
  await expect.poll(() => String(seen), SOON).toContain('cut off')
})

it('are refused by the engine that has none', async () => {
  const opened = open({ streamsBody: () => true }, 'uws')
  await expect(opened).rejects.toThrow(/node:http|uWebSockets/)
})
