// One exchange of the fetch bridge: guards uWS's response, which must not be touched after an abort
// or the end.
import type { HttpResponse } from 'uWebSockets.js'
import type { AccessLine } from '../access-log.ts'
import type { OpenExchanges } from '../open-exchanges.ts'

export class BridgeExchange {
  readonly #res: HttpResponse
  readonly #open: OpenExchanges
  readonly #access: AccessLine | undefined
  /** For the access line. */
  status = 0
  sentBytes = 0
  readonly #abort = new AbortController()
  #isGone = false
  #hasWritableHandler = false
  /** Sends on when the socket has room; true: all of it was taken. */
  #resume: ((res: HttpResponse, offset: number) => boolean) | undefined
  #wake: (() => void) | undefined

  constructor(res: HttpResponse, open: OpenExchanges, access: AccessLine | undefined) {
    this.#res = res
    this.#access = access
    this.#open = open
    open.begin()
    res.onAborted(() => {
      this.leave()
      this.#abort.abort()
      this.#wake?.()
    })
  }

  /** Aborts when the client goes away. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get isGone(): boolean {
    return this.#isGone
  }

  get closesConnection(): boolean {
    return this.#open.isStopping
  }

  /** Runs inside one cork, unless the client is gone. */
  write(run: (res: HttpResponse) => void): void {
    if (!this.#isGone) this.#res.cork(() => run(this.#res))
  }

  /** As `write`; the answer ends here. */
  finish(run: (res: HttpResponse) => void): void {
    if (this.#isGone) return
    this.leave()
    this.#res.cork(() => run(this.#res))
  }

  /** Cuts the connection: the client sees that the answer is not whole. */
  cut(): void {
    if (!this.#isGone) this.#res.close()
  }

  /** The answer is over. */
  leave(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#open.end()
    this.#access?.end(this.status, this.sentBytes)
  }

  /** Resolves when the socket took what it had been given (`resume` says true), or when the client
   *  is gone. */
  untilWritable(resume: (res: HttpResponse, offset: number) => boolean): Promise<void> {
    if (this.#isGone) return Promise.resolve()
    this.#resume = resume
    if (!this.#hasWritableHandler) {
      this.#hasWritableHandler = true
      this.#res.onWritable((offset) => this.#writable(offset))
    }
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #writable(offset: number): boolean {
    if (this.#resume === undefined) return true
    if (!this.#resume(this.#res, offset)) return false
    this.#resume = undefined
    this.#wake?.()
    return true
  }
}
