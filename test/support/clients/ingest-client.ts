// Requests to the ingest path as any sender could make them, with the whole answer.
import { expect } from 'vitest'
import { makeWord, productUrl, searchUntil } from './product-client.ts'

export type IngestAnswer = {
  readonly status: number
  readonly headers: Headers
  /** The JSON body; undefined when there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

type IngestOptions = {
  /** In addition to the token. */
  readonly parameters?: Readonly<Record<string, string>>
  /** null: none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export const defaultToken = () => process.env.LOGEYE_TEST_TOKEN ?? ''

export async function post(
  body: string | Uint8Array,
  options: IngestOptions = {},
): Promise<IngestAnswer> {
  const { token = defaultToken(), parameters = {}, headers = {} } = options
  const query = new URLSearchParams({ ...(token === null ? {} : { token }), ...parameters })
  const answer = await fetch(`${productUrl()}/logeye/api/logger.jsp?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
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

export function expectSuccess(answer: IngestAnswer, accepted: number): void {
  expect(answer).toMatchObject({
    status: 200,
    body: { text: 'Success', code: 0, received: accepted, accepted, rejected: 0, errors: [] },
  })
}
