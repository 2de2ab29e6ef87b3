// One request of a raw route. Everything of `req` is read before the handler returns, chunks are
// copied, and the answer waits for the last chunk: uWS takes an answer before that for the end of
// the connection's turn, and the rest of the body for the next request.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { systemClock } from '../../clock.ts'
import type { AccessLine, AccessLog } from '../access-log.ts'
import { BodyCollector } from '../body-collector.ts'
import { formatAddress, resolveClient, type TrustedProxies } from '../client-address.ts'
import type { OpenExchanges } from '../open-exchanges.ts'
import type { BodyBudget, RawExchange, RawRoute } from '../port.ts'
import { afterPacket } from './after-packet.ts'
import { isAmbiguous } from './is-ambiguous.ts'
import { refuse } from './refuse.ts'
import { UploadPace } from './upload-pace.ts'

/** A refused body is drained so far, so that its sender reads the answer; a longer one is cut
 *  off. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024

type Context = {
  method: string
  trusted: TrustedProxies
  open: OpenExchanges
  accessLog: AccessLog | undefined
  onBug: (error: unknown) => void
}

type Answer = {
  status: number
  headers: readonly (readonly [string, string])[]
  body: string | Uint8Array
}

const statusLines = new Map<number, string>()

/** '200 OK'. */
export function formatStatus(status: number): string {
  let line = statusLines.get(status)
  if (line === undefined) {
    line = `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
    statusLines.set(status, line)
  }
  return line
}

/** The client's address; to be called before the handler returns. */
export function readClient(res: HttpResponse, req: HttpRequest, trusted: TrustedProxies): string {
  const peer = formatAddress(res.getRemoteAddress())
  if (!trusted.has(peer)) return peer
  const proxied = formatAddress(res.getProxiedRemoteAddress())
  return resolveClient({ peer, proxied, forwardedFor: readForwardedFor(req) }, trusted)
}

/** All headers of that name, in their order: `getHeader` gives the first only, and a proxy may
 *  append its own header to one that a client forged. */
function readForwardedFor(req: HttpRequest): string {
  const values: string[] = []
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') values.push(value)
  })
  return values.join(',')
}

class UwsExchange implements RawExchange {
  readonly method: string
  readonly query: string
  readonly #res: HttpResponse
  readonly #open: OpenExchanges
  readonly #onBug: (error: unknown) => void
  /** Gone after the first turn: its memory is the parser's. */
  #req: HttpRequest | undefined
  #peer: string | undefined
  #isAborted = false
  #isAnswered = false
  #isDrained = false
  #hasReader = false
  #waiting: Answer | undefined
  #abortListener: (() => void) | undefined
  #collector: BodyCollector | undefined
  readonly #access: AccessLine | undefined

  constructor(
    res: HttpResponse,
    req: HttpRequest,
    context: Context,
    access: AccessLine | undefined,
  ) {
    this.#res = res
    this.#req = req
    this.#open = context.open
    this.#onBug = context.onBug
    this.method = context.method
    // Typed as text, but undefined when there is none.
    this.query = req.getQuery() ?? ''
    if (!context.trusted.isEmpty) this.#peer = readClient(res, req, context.trusted)
    this.#access = access
    context.open.begin()
    res.onAborted(() => this.#abort())
  }

  get peer(): string {
    if (this.#peer === undefined)
      this.#peer =
        this.#isAborted || this.#isAnswered ? '' : formatAddress(this.#res.getRemoteAddress())
    return this.#peer
  }

  get isAborted(): boolean {
    return this.#isAborted
  }

  header(name: string): string {
    if (this.#req === undefined) throw new Error('header() after the first turn of the handler')
    return this.#req.getHeader(name)
  }

  collectBody(
    maxBytes: number,
    onBody: (body: Buffer) => void,
    onTooLarge: (reason: 'limit' | 'budget') => void,
    budget?: BodyBudget,
  ): void {
    if (this.#req === undefined || this.#hasReader)
      throw new Error('collectBody() twice or after the first turn of the handler')
    this.#hasReader = true
    const collector = new BodyCollector(maxBytes, budget)
    this.#collector = collector
    let isRefused = false
    let drainedBytes = 0
    let pace: UploadPace | undefined
    this.#res.onData((chunk, isLast) => {
      if (this.#access !== undefined) this.#access.receivedBytes += chunk.byteLength
      if (!isLast) {
        pace ??= new UploadPace(this.#res, systemClock)
        pace.heard()
      }
      if (isRefused) {
        drainedBytes += chunk.byteLength
        if (isLast) this.#drained()
        else if (drainedBytes > MAX_DRAINED_BYTES) this.#res.close()
        return
      }
      const refusal = collector.add(chunk, isLast)
      if (isLast) this.#isDrained = true
      if (refusal !== undefined) {
        isRefused = true
        this.guard(() => onTooLarge(refusal))
      } else if (isLast) {
        afterPacket(() => this.#give(collector, onBody))
      }
    })
  }

  onAborted(listener: () => void): void {
    this.#abortListener = listener
  }

  answer(
    status: number,
    headers: readonly (readonly [string, string])[],
    body: string | Uint8Array,
  ): void {
    if (this.#isAborted || this.#isAnswered) return
    this.#isAnswered = true
    if (this.#isDrained) this.#send({ status, headers, body })
    else this.#waiting = { status, headers, body }
  }

  /** A throw into native code would end the process. */
  guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#onBug(error)
      this.answer(500, [], '')
    }
  }

  /** End of the handler's first turn. */
  leaveFirstTurn(): void {
    this.#req = undefined
    if (this.#hasReader) return
    let drainedBytes = 0
    this.#res.onData((chunk, isLast) => {
      drainedBytes += chunk.byteLength
      if (isLast) this.#drained()
      else if (drainedBytes > MAX_DRAINED_BYTES) this.#res.close()
    })
  }

  #give(collector: BodyCollector, onBody: (body: Buffer) => void): void {
    if (this.#isAborted) return
    const body = collector.finish()
    this.guard(() => onBody(body))
  }

  #drained(): void {
    this.#isDrained = true
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    this.#send(waiting)
  }

  #send(answer: Answer): void {
    const res = this.#res
    res.cork(() => {
      res.writeStatus(formatStatus(answer.status))
      for (const [name, value] of answer.headers) res.writeHeader(name, value)
      const { isStopping } = this.#open
      // What follows the head of an answer to HEAD would be read as the next answer.
      const length = Buffer.byteLength(answer.body)
      // Given a length, uWS closes the connection behind an answer without body.
      if (this.method === 'HEAD' && isStopping) res.endWithoutBody(length)
      else if (this.method === 'HEAD') {
        res.writeHeader('content-length', String(length))
        res.endWithoutBody()
      } else res.end(answer.body, isStopping)
    })
    this.#open.end()
    this.#access?.end(answer.status, Buffer.byteLength(answer.body))
  }

  #abort(): void {
    this.#isAborted = true
    this.#waiting = undefined
    this.#collector?.drop()
    this.#open.end()
    this.#access?.end(0, 0)
    const listener = this.#abortListener
    if (!this.#isAnswered && listener !== undefined) this.guard(listener)
  }
}

/** Runs the route's handler; what it throws is answered 500 and told to `onBug`. */
export function handleRaw(
  route: RawRoute,
  exchange: { res: HttpResponse; req: HttpRequest },
  context: Context,
): void {
  const { res, req } = exchange
  const access = context.accessLog?.({
    method: context.method,
    path: route.path,
    peer: readClient(res, req, context.trusted),
  })
  if (isAmbiguous(req)) {
    refuse(res, context.open, access)
    return
  }
  const raw = new UwsExchange(res, req, context, access)
  raw.guard(() => route.handle(raw))
  raw.leaveFirstTurn()
}
