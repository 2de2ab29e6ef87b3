// Documents, made in a thread of their own: it begins with the first one, and ends when it has had
// nothing to do for a while, which gives its memory back.
import type { Worker } from 'node:worker_threads'
import type { Clock } from '../../../infra/clock.ts'
import type { Logger } from '../../../infra/logger.ts'
import { startThread } from '../../../infra/start-thread.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { WorkerAnswer, WorkerQuestion, WorkerTask } from './document-worker.ts'

const IDLE_MS = 120_000
const MAX_WAITING = 8
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 }
const THREAD = new URL('./document-worker', import.meta.url)

type Waiting = {
  readonly done: (bytes: Uint8Array) => void
  readonly failed: (error: unknown) => void
}

export class DocumentMaker {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #number = 0
  #idle = new AbortController()

  constructor({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = clock
    this.#logger = logger
  }

  /** Fails with dashboard.busy, and the reason of the signal. */
  async make(question: WorkerQuestion, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted()
    if (this.#waiting.size >= MAX_WAITING) throw new Failure('dashboard.busy')
    this.#number += 1
    this.#idle.abort()
    const task: WorkerTask = { id: this.#number, question }
    let leave = () => {}
    try {
      return await new Promise<Uint8Array>((done, failed) => {
        // One thread makes one after the other: what nobody waits for ends it.
        const stop = () => {
          failed(signal.reason)
          void this.stop()
        }
        signal.addEventListener('abort', stop, { once: true })
        leave = () => signal.removeEventListener('abort', stop)
        this.#waiting.set(task.id, { done, failed })
        this.#open().postMessage(task)
      })
    } finally {
      leave()
      this.#waiting.delete(task.id)
      if (this.#waiting.size === 0) void this.#endWhenIdle()
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#idle.abort()
    this.#failAll(new Failure('dashboard.busy'))
    await worker?.terminate()
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = startThread(THREAD, MEMORY)
    worker.on('message', (answer: WorkerAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      if ('bytes' in answer) return waiting?.done(answer.bytes)
      this.#logger.error('document not made', answer.error)
      waiting?.failed(new Failure('request.internal'))
    })
    worker.on('error', (error) => {
      this.#logger.error('thread of documents failed', { error: error.name })
      if (this.#worker === worker) this.#worker = undefined
      this.#failAll(new Failure('request.internal'))
    })
    this.#worker = worker
    return worker
  }

  #failAll(error: Failure): void {
    for (const { failed } of this.#waiting.values()) failed(error)
    this.#waiting.clear()
  }

  async #endWhenIdle(): Promise<void> {
    const idle = new AbortController()
    this.#idle = idle
    await this.#clock.sleep(IDLE_MS, idle.signal)
    if (!idle.signal.aborted) await this.stop()
  }
}
