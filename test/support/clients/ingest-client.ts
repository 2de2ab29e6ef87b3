// Requests to the ingest path as any sender could make them, with the whole answer; and sockets for
// those that no client would make.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { makeWord, productUrl, searchUntil } from './product-client.ts'

export type IngestAnswer = {
  readonly status: number
  readonly headers: Headers
  /** The JSON body; undefined when there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

export type IngestOptions = {
  /** Default: logger.jsp. */
  readonly path?: string
  readonly method?: string
  /** Beside the token; a text is the whole query as it is. */
  readonly parameters?: Readonly<Record<string, string>> | string
  /** null: none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export const defaultToken = () => process.env.LOGEYE_TEST_TOKEN ?? ''

export async function post(
  body: string | Uint8Array | undefined,
  options: IngestOptions = {},
): Promise<IngestAnswer> {
  const { path = '/logeye/api/logger.jsp', method = 'POST', parameters = {} } = options
  const { token = defaultToken(), headers = {} } = options
  const query =
    typeof parameters === 'string'
      ? parameters
      : String(new URLSearchParams({ ...(token === null ? {} : { token }), ...parameters }))
  const answer = await fetch(`${productUrl()}${path}?${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** What follows a bad request must work as if it had not been: accepted, and found. */
export type GoodRequests = {
  /** Accepted. */
  send(): Promise<void>
  /** All that were sent. */
  expectFound(): Promise<void>
}

export function makeGoodRequests(): GoodRequests {
  const word = makeWord('good')
  let count = 0
  return {
    send: async () => {
      count += 1
      expectSuccess(await post(JSON.stringify({ message: `${word} ${count}` })), 1)
    },
    expectFound: async () => {
      await searchUntil(count, { searchQuery: word, maxNumOfRecords: 1000 })
    },
  }
}

export async function openSocket(): Promise<Socket> {
  const { hostname, port } = new URL(productUrl())
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Everything the product says on this socket until it closes it, or until `isEnough`. Bounded. */
export async function readSocket(
  socket: Socket,
  limitMs: number,
  isEnough: (text: string) => boolean = (text) => text.endsWith('}'),
): Promise<string> {
  let text = ''
  const done = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (isEnough(text)) finish()
    })
    socket.on('close', finish)
  })
  await done
  return text
}

export function expectSuccess(answer: IngestAnswer, accepted: number): void {
  expect(answer).toMatchObject({
    status: 200,
    body: { text: 'Success', code: 0, received: accepted, accepted, rejected: 0, errors: [] },
  })
}
