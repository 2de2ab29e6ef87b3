// Another Logeye, read by its JSON interface: events that it has, page by page, and those that
// arrive there, each once, from a mark that it gives.
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { joinSignals } from '../join-signals.ts'
import { describeConnection } from './describe-connection.ts'
import { RemoteFault } from './remote-fault.ts'
import { openRequest, readText } from './request.ts'

const ANSWER_MS = 60_000
/** A tail says something every 10 s. */
const QUIET_MS = 30_000
/** A page ends early when its events are large; one of them may be more. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_COUNT_BYTES = 1024 * 1024
const MAX_MESSAGE_CHARACTERS = 16 * 1024 * 1024
const API = '/api/search'

export type RemoteLogeyeTarget = {
  readonly remoteURL: string
  readonly userName: string
  /** PEM, trusted beside the usual ones; '' for none. */
  readonly certificate: string
  readonly userPassword: string
}

/** The first fault ends the check: a large answer can hold millions. */
const columnsSchema = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string'),
)
const eventSchema = z.object({
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/),
  host: z.string(),
  source: z.string(),
  message: z.string(),
  columns: columnsSchema,
})
export type RemoteEvent = Readonly<z.infer<typeof eventSchema>>

function readEvents(all: readonly unknown[], context: z.RefinementCtx): RemoteEvent[] {
  const events: RemoteEvent[] = []
  for (const one of all) {
    const event = eventSchema.safeParse(one)
    if (!event.success) {
      context.addIssue('an event cannot be read')
      return z.NEVER
    }
    events.push(event.data)
  }
  return events
}

const mark = z.string().min(1).max(8192)
const pageSchema = z.object({
  response: z.object({
    data: z.array(z.unknown()).transform(readEvents),
    nextCursor: mark.nullable(),
    tailId: mark,
  }),
})
const explainSchema = z.object({ response: z.object({ logs: z.object({ total: z.int() }) }) })
const errorSchema = z.object({
  error: z.object({ code: z.string(), parameter: z.string().nullable() }),
})

export type RemotePage = {
  readonly events: readonly RemoteEvent[]
  /** Of the next page; null: there is none. */
  readonly nextCursor: string | null
  /** Behind the newest page. */
  readonly tailId: string
}

/** `mark`: behind the event, or where the tail stands without one. */
export type TailMessage = { readonly mark: string; readonly event: RemoteEvent | undefined }

/** The mark is of another Logeye. */
export class StrangeMark extends RemoteFault {}

/** All fail with RemoteFault. */
export class RemoteLogeye {
  readonly #target: RemoteLogeyeTarget

  constructor(target: RemoteLogeyeTarget) {
    this.#target = target
  }

  /** How many logs the query is about, of those that the user may see. */
  async countLogs(query: string, signal: AbortSignal): Promise<number> {
    const given = { query, interval: 'last60Minutes' }
    const of = { schema: explainSchema, maxBytes: MAX_COUNT_BYTES }
    return (await this.#ask('explain', given, of, signal)).response.logs.total
  }

  /** Newest first; undefined: the first page of all events. */
  async page(
    query: string,
    options: { readonly cursor: string | undefined; readonly limit: number },
    signal: AbortSignal,
  ): Promise<RemotePage> {
    const { cursor, limit } = options
    const of = cursor === undefined ? { interval: 'allData' } : { cursor }
    const asked = { schema: pageSchema, maxBytes: MAX_ANSWER_BYTES }
    const { response } = await this.#ask('events', { query, limit, ...of }, asked, signal)
    const { data, nextCursor, tailId } = response
    return { events: data, nextCursor, tailId }
  }

  /** What arrives behind the mark, as it arrives, in pieces; endless. */
  async *tail(
    query: string,
    from: string,
    signal: AbortSignal,
  ): AsyncGenerator<readonly TailMessage[]> {
    const answer = await this.#open('tail', { query, lastEventId: from }, signal)
    const lines = new EventStream()
    try {
      for await (const part of answer) {
        const messages = lines.take(part)
        if (messages.length > 0) yield messages
      }
      throw this.#fault('it ended the live tail')
    } catch (error) {
      throw this.#describe(error, signal)
    } finally {
      answer.destroy()
    }
  }

  async #ask<Value>(
    call: string,
    given: object,
    { schema, maxBytes }: { readonly schema: z.ZodType<Value>; readonly maxBytes: number },
    signal: AbortSignal,
  ): Promise<Value> {
    const { signal: late, leave } = joinSignals([signal, AbortSignal.timeout(ANSWER_MS)])
    try {
      const answer = await this.#open(call, given, late)
      const text = await readText(answer, maxBytes)
      const parsed = schema.safeParse(parseJson(text))
      if (parsed.success) return parsed.data
      throw this.#fault('its answer cannot be read: it may be another version of this product')
    } catch (error) {
      throw this.#describe(error, late)
    } finally {
      leave()
    }
  }

  async #open(call: string, given: object, signal: AbortSignal): Promise<IncomingMessage> {
    const { remoteURL, userName, userPassword, certificate } = this.#target
    const body = JSON.stringify(given)
    const basic = Buffer.from(`${userName}:${userPassword}`, 'utf8').toString('base64')
    const headers = {
      ...{ authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      'content-length': String(Buffer.byteLength(body)),
    }
    try {
      const url = new URL(`${remoteURL}${API}/${call}`)
      const sent = { url, headers, certificate, body, method: 'POST', quietMs: QUIET_MS }
      const answer = await openRequest({ ...sent, signal })
      if (answer.statusCode === 200) return answer
      throw await this.#refusal(answer)
    } catch (error) {
      throw this.#describe(error, signal)
    }
  }

  async #refusal(answer: IncomingMessage): Promise<RemoteFault> {
    const { userName } = this.#target
    const status = answer.statusCode ?? 0
    const { error } =
      errorSchema.safeParse(parseJson(await readText(answer, 65_536, true))).data ?? {}
    if (status === 401)
      return this.#fault(
        `it refuses the user ${userName} and the password: give them with addRemoteProductAccount -update true`,
      )
    if (status === 403) return this.#fault(`the user ${userName} may not search there`)
    if (error?.parameter === 'lastEventId' || error?.parameter === 'cursor')
      return new StrangeMark(
        this.#say(
          'it does not know how far events were copied: it is another Logeye than before, or its database was made anew. Make a new log to copy from it',
        ),
      )
    if (error?.code === 'invalid_query')
      return this.#fault('it does not take the query: see dataFilterQuery, and its version')
    if (status === 429) return this.#fault('it is busy, or its user has too many live tails open')
    return this.#fault(`it answers with the HTTP status ${status}`)
  }

  #describe(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof RemoteFault) return error
    return this.#fault(describeConnection(error, signal))
  }

  #fault(reason: string): RemoteFault {
    return new RemoteFault(this.#say(reason))
  }

  #say(reason: string): string {
    return `${this.#target.remoteURL}: ${reason}`
  }
}

/** Server-sent events, cut from bytes. */
class EventStream {
  readonly #decoder = new TextDecoder()
  #text = ''

  /** Fails with RemoteFault for what is no message of a live tail. */
  take(bytes: Buffer): readonly TailMessage[] {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    const blocks = this.#text.split('\n\n')
    this.#text = blocks.pop() ?? ''
    if (this.#text.length > MAX_MESSAGE_CHARACTERS)
      throw new RemoteFault('a message of the live tail is too large')
    return blocks.flatMap(readMessage)
  }
}

function readMessage(block: string): TailMessage[] {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2))
  }
  const [kind, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')]
  if (kind === 'error')
    throw new RemoteFault('the live tail there failed: the query may be too slow')
  if (kind !== undefined || id === undefined) return []
  const known = mark.safeParse(id)
  const event = data === undefined ? undefined : eventSchema.safeParse(parseJson(data))
  if (!known.success || event?.success === false)
    throw new RemoteFault('a message of the live tail cannot be read')
  return [{ mark: known.data, event: event?.data }]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
