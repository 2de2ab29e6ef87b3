// One request of a raw route. The answer waits for the last chunk of the body, as on the other
// engine: a sender reads it only then.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccessLine } from '../access-log.ts'
import { BodyCollector } from '../body-collector.ts'
import type { OpenExchanges } from '../open-exchanges.ts'
import type { BodyBudget, RawExchange, RawRoute } from '../port.ts'
import type { Connection, OpenExchange } from './connection.ts'

/** A refused body is drained so far, so that its sender reads the answer; a longer one is cut
 *  off. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024

export type RawContext = {
  readonly connection: Connection
  readonly open: OpenExchanges
  readonly access: AccessLine | undefined
  readonly peer: string
  readonly query: string
  readonly onBug: (error: unknown) => void
}

type Headers = readonly (readonly [string, string])[]
type Answer = { status: number; headers: Headers; body: string | Uint8Array }
type Reader = {
  readonly collector: BodyCollector
  readonly onBody: (body: Buffer) => void
  readonly onTooLarge: (reason: 'limit' | 'budget') => void
}

class NodeExchange implements RawExchange, OpenExchange {
  readonly method: string
  readonly response: ServerResponse
  readonly endsWithClient = false
  /** Its end has been told to us. */
  #isEnded = false
  isAborted = false
  receivedBytes = 0
  readonly #context: RawContext
  readonly #req: IncomingMessage
  #isFirstTurn = true
  #reader: Reader | undefined
  #isAnswered = false
  #waiting: Answer | undefined
  #abortListener: (() => void) | undefined
  #drainedBytes = 0
  /** NaN of a chunked one. */
  readonly #saidBytes: number

  constructor(req: IncomingMessage, res: ServerResponse, context: RawContext) {
    this.#req = req
    this.response = res
    this.#context = context
    this.method = req.method ?? 'GET'
    this.#saidBytes = Number(req.headers['content-length'])
    context.open.begin()
    context.connection.enter(this)
    req.on('data', (chunk: Buffer) => this.#receive(chunk))
    req.on('end', () => this.#end())
    // What the connection meets is told by the connection.
    req.on('error', () => undefined)
  }

  get isWhole(): boolean {
    return this.#req.complete
  }

  get query(): string {
    return this.#context.query
  }

  get peer(): string {
    return this.#context.peer
  }

  header(name: string): string {
    if (!this.#isFirstTurn) throw new Error('header() after the first turn of the handler')
    const value = this.#req.headers[name]
    return typeof value === 'string' ? value : (value?.join(', ') ?? '')
  }

  collectBody(
    maxBytes: number,
    onBody: (body: Buffer) => void,
    onTooLarge: (reason: 'limit' | 'budget') => void,
    budget?: BodyBudget,
  ): void {
    if (!this.#isFirstTurn || this.#reader !== undefined)
      throw new Error('collectBody() twice or after the first turn of the handler')
    this.#reader = { collector: new BodyCollector(maxBytes, budget), onBody, onTooLarge }
  }

  onAborted(listener: () => void): void {
    this.#abortListener = listener
  }

  answer(status: number, headers: Headers, body: string | Uint8Array): void {
    if (this.isAborted || this.#isAnswered) return
    this.#isAnswered = true
    if (this.#isEnded) this.#send({ status, headers, body })
    else this.#waiting = { status, headers, body }
  }

  guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#context.onBug(error)
      this.answer(500, [], '')
    }
  }

  /** End of the handler's first turn. */
  leaveFirstTurn(): void {
    this.#isFirstTurn = false
  }

  abort(): void {
    if (this.isAborted) return
    this.isAborted = true
    this.#waiting = undefined
    this.#reader?.collector.drop()
    this.#context.open.end()
    this.#context.access?.end(0, 0)
    const listener = this.#abortListener
    if (!this.#isAnswered && listener !== undefined) this.guard(listener)
  }

  #receive(chunk: Buffer): void {
    if (this.isAborted) return
    this.receivedBytes += chunk.length
    const reader = this.#reader
    if (reader === undefined) {
      this.#drainedBytes += chunk.length
      if (this.#drainedBytes > MAX_DRAINED_BYTES) this.#context.connection.cut()
      return
    }
    const refusal = reader.collector.add(chunk, this.receivedBytes === this.#saidBytes)
    if (refusal === undefined) return
    this.#reader = undefined
    this.guard(() => reader.onTooLarge(refusal))
  }

  #end(): void {
    if (this.isAborted) return
    this.#isEnded = true
    const { access } = this.#context
    if (access !== undefined) access.receivedBytes = this.receivedBytes
    const reader = this.#reader
    this.#reader = undefined
    if (reader !== undefined) {
      const body = reader.collector.finish()
      this.guard(() => reader.onBody(body))
    }
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) this.#send(waiting)
  }

  #send({ status, headers, body }: Answer): void {
    const { open, connection, access } = this.#context
    const length = Buffer.byteLength(body)
    const flat: string[] = ['Content-Length', String(length)]
    for (const [name, value] of headers) flat.push(name, value)
    if (open.isStopping) flat.push('Connection', 'close')
    this.response.writeHead(status, flat)
    if (this.method === 'HEAD') this.response.end()
    else this.response.end(body)
    connection.leave(this)
    open.end()
    access?.end(status, length)
  }
}

/** Runs the route's handler; what it throws is answered 500 and told to `onBug`. */
export function handleRaw(
  route: RawRoute,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  context: RawContext,
): void {
  const raw = new NodeExchange(req, res, context)
  raw.guard(() => route.handle(raw))
  raw.leaveFirstTurn()
}
