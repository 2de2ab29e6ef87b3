// Answers of another Logeye that means harm: the first fault ends the check, for each fault that is
// noted takes memory.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { RemoteLogeye } from '../../../../infra/outbound/remote-logeye.ts'

const FAULT = { code: 'EREMOTE', message: expect.stringContaining('its answer cannot be read') }

let server: Server | undefined
afterEach(() => server?.close())

it.each([
  ['events', `[${'0,'.repeat(1_000_000)}0]`],
  ['columns', `[${JSON.stringify(event(manyNumbers(300_000)))}]`],
])('a page with very many faults in its %s is refused', async (_, data) => {
  const remote = await listen(`{"response":{"data":${data},"nextCursor":null,"tailId":"x"}}`)
  const before = process.memoryUsage().heapTotal
  const page = remote.page('*', { cursor: undefined, limit: 500 }, new AbortController().signal)
  await expect(page).rejects.toMatchObject(FAULT)
  expect(process.memoryUsage().heapTotal - before).toBeLessThan(150 * 1024 * 1024)
})

it('a page is read as it was sent', async () => {
  const data = [event({ a: '1' })]
  const remote = await listen(JSON.stringify({ response: { data, nextCursor: null, tailId: 'x' } }))
  const page = remote.page('*', { cursor: undefined, limit: 500 }, new AbortController().signal)
  await expect(page).resolves.toEqual({ events: data, nextCursor: null, tailId: 'x' })
})

it('a count of logs is a small answer', async () => {
  const remote = await listen(`{"response":{"logs":{"total":1}}${' '.repeat(2 * 1024 * 1024)}}`)
  await expect(remote.countLogs('*', new AbortController().signal)).rejects.toMatchObject({
    message: expect.stringContaining('its answer is too large'),
  })
})

async function listen(text: string): Promise<RemoteLogeye> {
  server = createServer((asked, answer) => {
    asked.resume()
    answer.end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const signIn = { userName: 'user', userPassword: 'p', certificate: '' }
  return new RemoteLogeye({ remoteURL: `http://127.0.0.1:${port}`, ...signIn })
}

function event(columns: object) {
  return {
    ...{ timestamp: '2026-01-02T03:04:05.678Z', host: 'web', source: 'app', message: 'text' },
    columns,
  }
}

function manyNumbers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, at]))
}
