// Calls of the JSON interface, and a reader of its live tail: over a socket or without one.
import { z } from 'zod'
import {
  type ErrorEnvelope,
  type EventAnswer,
  errorEnvelope,
  eventAnswer,
  okEnvelope,
  withWarnings,
} from '../../../schemas/search-json/answers.ts'
import { type Warning, warningSchema } from '../../../schemas/warning.ts'
import { waitUntil } from '../run/wait-until.ts'

export type JsonFetch = (path: string, init?: RequestInit) => Promise<Response>

const BASE = '/logeye/api/search'

export function makeJsonClient(fetch: JsonFetch, user: { name: string; password: string } | null) {
  const authorization =
    user === null
      ? undefined
      : `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const post = (name: string, body: object, init: RequestInit = {}) =>
    fetch(`${BASE}/${name}`, {
      method: 'POST',
      ...init,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return {
    post,
    get: (path: string, init: RequestInit = {}) => fetch(`${BASE}/${path}`, { ...init, headers }),
    /** What `response` holds; the whole answer is what its schema says. */
    ask: async <Answer extends z.ZodObject>(
      endpoint: { readonly name: string; readonly answer: Answer },
      body: object,
    ): Promise<z.output<Answer>> => {
      const answer = await post(endpoint.name, body)
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${endpoint.name}: ${answer.status} ${text}`)
      const { response } = okEnvelope(z.unknown()).parse(JSON.parse(text))
      const { warnings: _, ...own } = withWarnings(endpoint.answer).parse(response)
      return endpoint.answer.parse(own)
    },
    /** The details of a refusal, which is what its schema says. */
    refusal: async (name: string, body: object): Promise<ErrorEnvelope['error']> =>
      readRefusal(await post(name, body)),
    tail: (query: string, lastEventId?: string) => openTail(fetch, query, headers, lastEventId),
  }
}

export async function readRefusal(answer: Response): Promise<ErrorEnvelope['error']> {
  const text = await answer.text()
  const envelope = errorEnvelope.parse(JSON.parse(text))
  if (envelope.httpStatusCode !== answer.status) throw new Error(`${answer.status} ${text}`)
  return envelope.error
}

export type Tail = {
  readonly events: EventAnswer[]
  /** What Last-Event-ID would be. */
  lastId(): string
  readonly errors: string[]
  readonly warnings: Warning[]
  /** Resolves when `count` events have come, or fails. */
  until(count: number): Promise<void>
  /** Resolves when the answer has ended: no event comes after that. */
  readonly ended: Promise<void>
  close(): void
}

export async function openTail(
  fetch: JsonFetch,
  query: string,
  headers: Record<string, string>,
  lastEventId: string | undefined,
): Promise<Tail> {
  const stop = new AbortController()
  const answer = await fetch(`${BASE}/tail?${new URLSearchParams({ query })}`, {
    headers: { ...headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: stop.signal,
  })
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`tail: ${answer.status} ${await answer.text()}`)
  const events: EventAnswer[] = []
  const errors: string[] = []
  const warnings: Warning[] = []
  let id = ''
  let isOver = false
  const read = async (body: ReadableStream<Uint8Array>) => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      rest += decoder.decode(chunk, { stream: true })
      const messages = rest.split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) {
        const fields = message.split('\n').map((line) => /^(\w*):? ?(.*)$/s.exec(line) ?? [])
        const fieldOf = (name: string) => fields.find(([, field]) => field === name)?.[2]
        id = fieldOf('id') ?? id
        const data = fieldOf('data')
        const type = fieldOf('event')
        if (type === 'error') errors.push(data ?? '')
        else if (type === 'warnings')
          warnings.push(...z.array(warningSchema).parse(JSON.parse(data ?? '')))
        else if (data !== undefined) events.push(eventAnswer.parse(JSON.parse(data)))
      }
    }
  }
  const ended = read(answer.body)
    // Who closes it ends the read; what else fails, an answer against its schema too, is told.
    .catch((error: unknown) => {
      if (!stop.signal.aborted) errors.push(String(error))
    })
    .finally(() => {
      isOver = true
    })
  return {
    events,
    errors,
    warnings,
    lastId: () => id,
    until: async (count) => {
      const saw = () => `${events.length} of ${count} events came ${errors.join()}`
      await waitUntil(
        `${count} events have come`,
        () => {
          if (events.length >= count) return true
          if (isOver && errors.length > 0) throw new Error(saw())
          return false
        },
        saw,
      )
    },
    ended,
    close: () => stop.abort(),
  }
}
