// A receiver of webhooks on a socket of its own, which keeps what comes and answers as told.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

export type Hooked = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type HookReceiver = {
  readonly url: string
  readonly got: readonly Hooked[]
  /** How it answers from now on. */
  answer: (response: ServerResponse, hooked: Hooked) => void
  /** Ids of what came, of one kind. */
  idsOf(kind: string): readonly string[]
  close(): Promise<void>
}

export async function startHookReceiver(): Promise<HookReceiver> {
  const got: Hooked[] = []
  const receiver = {
    answer: (response: ServerResponse) => {
      response.writeHead(204).end()
    },
  } as Pick<HookReceiver, 'answer'>
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      const hooked = { method: request.method ?? '', path: request.url ?? '', headers, body }
      got.push(hooked)
      receiver.answer(response, hooked)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, {
    ...{ url: `http://127.0.0.1:${port}/hook`, got },
    idsOf: (kind: string) =>
      got
        .filter(({ body }) => JSON.parse(body).type === kind)
        .map(({ headers }) => headers['webhook-id'] ?? ''),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/** As receivers are told to verify; throws. The package compares the time of the message with the
 *  date of the machine, which is `nowMs` here if given. */
export function verify({ body, headers }: Hooked, secret: string, nowMs?: number): unknown {
  if (nowMs !== undefined) vi.setSystemTime(nowMs)
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
