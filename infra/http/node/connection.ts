// One connection: who is at its other end, which of its requests are open, and how it is refused. A
// refusal is the last answer: it waits for the answers of the requests before it, so that no 400
// stands where the answer of a stored request is expected.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** For a sender that is still sending: if it were cut off at once, it would not read why. */
const LINGER_MS = 2000
/** A sender that is quiet for longer is gone. */
const QUIET_LIMIT_MS = 12_000
/** So long each piece grants more time; then the floor holds. */
const PACED_MS = 120_000
const FLOOR_BYTES_PER_SECOND = 1024
/** Requests behind a refusal: more are no mistake, and each costs memory until the connection
 *  ends. */
const MAX_IGNORED = 100
/** A client that closes its side may still read; one that is gone costs no more than this. */
const HALF_CLOSED_MS = 100

export interface OpenExchange {
  /** The parser has seen its end. */
  readonly isWhole: boolean
  readonly receivedBytes: number
  readonly response: ServerResponse
  /** Ends with the connection's other side. */
  readonly endsWithClient: boolean
  abort(): void
}

export class Connection {
  readonly socket: Socket
  /** The other end as text; what a proxy said of it is `proxied`. */
  readonly peer: string
  readonly proxied: string
  readonly #open = new Set<OpenExchange>()
  /** The newest answers: a refusal waits until they have left. */
  #last: ServerResponse | undefined
  #isRefused = false
  #ignored = 0
  #upload: { exchange: OpenExchange; beginMs: number; bytes: number; heardMs: number } | undefined

  constructor(socket: Socket, peer: string, proxied: string) {
    this.socket = socket
    this.peer = peer
    this.proxied = proxied
    socket.on('close', () => this.#closed())
    socket.on('end', () => this.#halfClosed())
  }

  /** Nothing that comes is run any more. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  enter(exchange: OpenExchange): void {
    this.#open.add(exchange)
    this.#last = exchange.response
  }

  leave(exchange: OpenExchange): void {
    this.#open.delete(exchange)
  }

  /** 4xx behind what is being answered, and the end. The request that is not whole is aborted: this
   *  is its answer. */
  refuse(status: number): void {
    if (this.#isRefused) return
    this.#isRefused = true
    let before: ServerResponse | undefined
    for (const exchange of [...this.#open]) {
      if (exchange.isWhole) before = exchange.response
      else {
        this.#open.delete(exchange)
        exchange.abort()
        if (this.#last === exchange.response) this.#last = undefined
      }
    }
    before ??= this.#last
    if (before === undefined || before.writableFinished) this.#say(status)
    else before.once('finish', () => this.#say(status))
  }

  /** A request behind the refusal, while answers before it are still on their way. */
  ignore(): void {
    this.#ignored += 1
    if (this.#ignored > MAX_IGNORED) this.cut()
  }

  cut(): void {
    this.socket.destroy()
  }

  /** To be called about once a second: cuts uploads below the floor, forgets answers that have
   *  left. */
  checkTime(nowMs: number): void {
    if (this.#last?.writableFinished === true) this.#last = undefined
    let current: OpenExchange | undefined
    for (const exchange of this.#open) if (!exchange.isWhole) current = exchange
    if (current === undefined || this.#isRefused) {
      this.#upload = undefined
      return
    }
    const bytes = current.receivedBytes
    if (this.#upload?.exchange !== current) {
      this.#upload = { exchange: current, beginMs: nowMs, bytes, heardMs: nowMs }
      return
    }
    if (bytes !== this.#upload.bytes) this.#upload = { ...this.#upload, bytes, heardMs: nowMs }
    const ageMs = nowMs - this.#upload.beginMs
    const isBelow = ageMs > PACED_MS && (bytes * 1000) / ageMs < FLOOR_BYTES_PER_SECOND
    if (isBelow || nowMs - this.#upload.heardMs > QUIET_LIMIT_MS) this.refuse(408)
  }

  #say(status: number): void {
    const { socket } = this
    if (!socket.writable) return
    const phrase = STATUS_CODES[status] ?? 'Bad Request'
    const text = `${phrase.toLowerCase()}\n`
    socket.end(
      `HTTP/1.1 ${status} ${phrase}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    )
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }

  #halfClosed(): void {
    for (const exchange of this.#open) {
      if (!exchange.endsWithClient) continue
      setTimeout(() => {
        if (this.#open.size > 0) this.socket.destroy()
      }, HALF_CLOSED_MS).unref()
      return
    }
  }

  #closed(): void {
    for (const exchange of [...this.#open]) {
      this.#open.delete(exchange)
      exchange.abort()
    }
  }
}
