// One exchange of the fetch bridge: the answer's head, its pieces with back-pressure, its end, and
// the client that goes away meanwhile.
import type { ServerResponse } from 'node:http'
import type { AccessLine } from '../access-log.ts'
import type { OpenExchanges } from '../open-exchanges.ts'
import type { Connection, OpenExchange } from './connection.ts'

/** A reader that takes less than a piece in this time is cut off. */
const WRITE_LIMIT_MS = 60_000
/** So long a sender whose body nobody wants any more may take to read why. */
const LINGER_MS = 1500

export type BridgeParts = {
  readonly connection: Connection
  readonly open: OpenExchanges
  readonly access: AccessLine | undefined
}

export class BridgeExchange implements OpenExchange {
  readonly response: ServerResponse
  readonly endsWithClient = true
  receivedBytes = 0
  readonly #parts: BridgeParts
  readonly #abort = new AbortController()
  #isGone = false
  #sentBytes = 0

  constructor(response: ServerResponse, parts: BridgeParts) {
    this.response = response
    this.#parts = parts
    parts.open.begin()
    parts.connection.enter(this)
    // What was handed out has left: a stop waits for that.
    response.once('finish', () => this.#leave(response.statusCode))
  }

  /** Aborts when the client goes away. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get isWhole(): boolean {
    return this.response.req.complete
  }

  get isGone(): boolean {
    return this.#isGone
  }

  abort(): void {
    if (this.#isGone) return
    this.#leave(0)
    this.#abort.abort()
  }

  writeHead(
    status: number,
    headers: readonly (readonly [string, string])[],
    length?: number,
  ): void {
    if (this.#isGone) return
    const flat = headers.flat()
    if (length !== undefined) flat.push('Content-Length', String(length))
    // Behind an answer to half a request nothing else can be read.
    if (this.#parts.open.isStopping || !this.isWhole) flat.push('Connection', 'close')
    this.response.writeHead(status, flat)
  }

  /** Resolves when the socket has room for more, or the client is gone. */
  async write(piece: Uint8Array): Promise<void> {
    if (this.#isGone) return
    this.#sentBytes += piece.length
    if (!this.response.write(piece)) await this.#untilWritable()
  }

  end(body?: Uint8Array | string): void {
    if (this.#isGone) return
    if (body !== undefined) this.#sentBytes += Buffer.byteLength(body)
    if (!this.isWhole) this.#endEarly(body ?? '')
    else if (body === undefined) this.response.end()
    else this.response.end(body)
  }

  /** Cuts the connection: the client sees that the answer is not whole. Where the end of the answer
   *  is the end of the connection, by a reset. */
  cut(): void {
    const { socket } = this.#parts.connection
    const isDelimited = this.response.req.httpVersionMinor > 0
    if (isDelimited) socket.destroy()
    else socket.resetAndDestroy()
  }

  /** The sender is still sending. Cut off at once, it would not read the answer: the connection
   *  ends when the body does, or a little later. */
  #endEarly(body: Uint8Array | string): void {
    const { response } = this
    const { req } = response
    if (body.length > 0) response.write(body)
    else response.flushHeaders()
    const timer = setTimeout(() => this.cut(), LINGER_MS)
    const finish = () => {
      clearTimeout(timer)
      if (!this.#isGone) response.end()
    }
    req.once('end', finish)
    this.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    req.resume()
  }

  #untilWritable(): Promise<void> {
    const { response } = this
    const over = new AbortController()
    return new Promise<void>((resolve) => {
      // An answer that waits behind others of its connection has no socket yet: its time has not
      // begun.
      const timer = setInterval(() => {
        if (response.socket !== null) this.cut()
      }, WRITE_LIMIT_MS)
      const done = (): void => {
        clearInterval(timer)
        over.abort()
        response.off('drain', done)
        resolve()
      }
      response.once('drain', done)
      this.signal.addEventListener('abort', done, { once: true, signal: over.signal })
      if (this.#isGone) done()
    })
  }

  #leave(status: number): void {
    if (this.#isGone) return
    this.#isGone = true
    const { connection, open, access } = this.#parts
    connection.leave(this)
    open.end()
    if (access === undefined) return
    access.receivedBytes = this.receivedBytes
    access.end(status, this.#sentBytes)
  }
}
