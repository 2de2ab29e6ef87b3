// From work that writes to a body that a client reads: one chunk is on its way, the writer waits
// until it is taken. A failure errors the body, so that the connection is cut before its end and
// nobody takes a part for the whole.
import { Failure } from '../../schemas/failures.ts'

export class ByteChannel {
  readonly body: ReadableStream<Uint8Array>
  readonly #gone = new AbortController()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #isOver = false
  #wake: (() => void) | undefined
  #begin: () => void = () => undefined
  /** Resolves with the first chunk or the end. */
  readonly begun: Promise<void>

  constructor() {
    this.begun = new Promise((resolve) => {
      this.#begin = resolve
    })
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#wake?.(),
        cancel: () => {
          this.#isOver = true
          this.#gone.abort(new Failure('search.cancelled'))
          this.#wake?.()
        },
      },
      { highWaterMark: 1 },
    )
  }

  /** Aborts when nobody reads any more. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Resolves when the next chunk may come, at once when it is over or nobody reads any more.
   *  Rejects with the reason of `signal`, which ends the work that writes. */
  async write(chunk: Uint8Array, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#isOver || chunk.length === 0) return
    this.#controller?.enqueue(chunk)
    this.#begin()
    if ((this.#controller?.desiredSize ?? 0) > 0) return
    await new Promise<void>((resolve, reject) => {
      const stop = () => reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      this.#wake = () => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
    })
    this.#wake = undefined
  }

  end(): void {
    if (!this.#isOver) this.#controller?.close()
    this.#isOver = true
    this.#begin()
  }

  fail(error: unknown): void {
    if (!this.#isOver) this.#controller?.error(error)
    this.#isOver = true
    this.#wake?.()
  }
}
