// The preview of an import says where the pieces of a file may cut events in two.
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { previewImport } from '../../../../../query/sdk/client/import/preview.ts'

const NOTE = 'some events have lines that do not begin with a space'

/** Answers as the listener does with debug=1, with so many events. */
let received = 0
const server = createServer((request, answer) => {
  request.resume()
  const events: unknown[] = []
  const body = { text: 'Success', code: 0, received, accepted: received, rejected: 0, errors: [] }
  request.on('end', () => answer.end(JSON.stringify({ ...body, events })))
})
let url: URL
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = new URL(`http://127.0.0.1:${address.port}/logeye/api/logger.jsp?token=t`)
})
afterAll(() => server.close())

async function preview(events: number, body: string, format: 'lines' | 'json' = 'lines') {
  received = events
  const connection = { trust: {}, isInsecure: false, timeoutMs: 5000 }
  const seen = await previewImport(url, Buffer.from(body), format, connection)
  if (seen.kind !== 'seen') throw new Error(seen.reason)
  return seen.text
}

it.each([
  ['each line is an event', 3, 'a\nb\nc\n', false],
  ['lines of an event begin with a space or a tab', 2, 'a\n at x\n\tat y\nb\n', false],
  ['lines are empty', 2, 'a\r\n\r\n\nb\n', false],
  ['a line like any other goes on with an event', 2, 'a\nb\nCaused by c\n', true],
  ['of JSON, whose lines are always events', 1, '{}\n{}\n', false],
] as const)('%s', async (what, events, body, isNoted) => {
  const text = await preview(events, body, what.startsWith('of JSON') ? 'json' : 'lines')
  expect(text.includes(NOTE)).toBe(isNoted)
})
