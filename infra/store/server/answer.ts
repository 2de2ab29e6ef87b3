// One answer of the HTTP interface: headers with the first bytes, so that an exception before them
// gets its own status; an exception after them is written into the stream under the tag that the
// headers announced, and the connection is cut.
import type { ServerResponse } from 'node:http'
import { type EngineFailure, httpStatusOf } from './engine-error.ts'

export class Answer {
  readonly #response: ServerResponse
  readonly #tag: string
  #format = ''
  /** The first bytes: they go out with the next or with the end, so that a small answer is one
   *  packet. */
  #held: Uint8Array | undefined

  readonly #maxStallMs: number
  readonly #onFailed: (failed: EngineFailure) => void

  /** `tag`: 16 random letters or digits. `maxStallMs`: a client that takes nothing for so long is
   *  cut off. `onFailed`: whoever still listens. */
  constructor(
    response: ServerResponse,
    options: { tag: string; maxStallMs: number; onFailed(failed: EngineFailure): void },
  ) {
    const { tag, maxStallMs, onFailed } = options
    this.#response = response
    this.#tag = tag
    this.#maxStallMs = maxStallMs
    this.#onFailed = onFailed
    response.setHeader('X-ClickHouse-Server-Display-Name', 'logeye')
    response.setHeader('X-ClickHouse-Timezone', 'UTC')
    response.setHeader('X-ClickHouse-Exception-Tag', tag)
  }

  set queryId(id: string) {
    this.#response.setHeader('X-ClickHouse-Query-Id', id)
  }

  set format(format: string) {
    this.#format = format
  }

  /** By zstd: the engine does it. */
  set isPacked(isPacked: boolean) {
    if (isPacked) this.#response.setHeader('Content-Encoding', 'zstd')
  }

  get isGone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** Resolves when the client has taken enough of it, or is gone; one that takes nothing is, in the
   *  end. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.isGone) return
    if (this.#held === undefined && !this.#response.headersSent) {
      this.#held = chunk
      return
    }
    this.#begin()
    this.#release()
    if (this.#response.write(chunk)) return
    await new Promise<void>((resolve) => {
      // What is written to must not be held for ever: a reader of the engine waits for it.
      const stalled = setTimeout(() => this.#response.destroy(), this.#maxStallMs)
      const done = () => {
        clearTimeout(stalled)
        this.#response.off('drain', done)
        this.#response.off('close', done)
        resolve()
      }
      this.#response.on('drain', done)
      this.#response.on('close', done)
    })
  }

  end(body: Uint8Array = new Uint8Array()): void {
    if (this.isGone) return
    this.#begin()
    this.#release()
    this.#response.end(body)
  }

  endText(status: number, text: string): void {
    if (this.isGone) return
    this.#response.writeHead(status, { 'Content-Type': 'text/plain; charset=UTF-8' }).end(text)
  }

  fail(failed: EngineFailure): void {
    const { code, message } = failed
    this.#onFailed(failed)
    if (this.isGone) return
    this.#held = undefined
    if (!this.#response.headersSent) {
      this.#response.removeHeader('Content-Encoding')
      this.#response.setHeader('X-ClickHouse-Exception-Code', code)
      this.endText(httpStatusOf(code), `${message}\n`)
      return
    }
    const text = Buffer.from(`${message}\n`)
    const block = Buffer.concat([
      Buffer.from(`\r\n__exception__\r\n${this.#tag}\r\n`),
      text,
      Buffer.from(`${text.length} ${this.#tag}\r\n__exception__\r\n`),
    ])
    const { socket } = this.#response
    this.#response.write(block, () => socket?.end())
  }

  #release(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.#response.cork()
    process.nextTick(() => this.#response.uncork())
    this.#response.write(held)
  }

  #begin(): void {
    if (this.#response.headersSent) return
    if (this.#format !== '') this.#response.setHeader('X-ClickHouse-Format', this.#format)
    this.#response.setHeader('X-ClickHouse-Summary', '{}')
    const isJson = /^JSON\w*EachRow$/.test(this.#format)
    this.#response.writeHead(200, {
      'Content-Type': isJson
        ? 'application/x-ndjson; charset=UTF-8'
        : 'text/tab-separated-values; charset=UTF-8',
    })
  }
}
