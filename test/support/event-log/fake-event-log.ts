// An event log in memory that waits, fails or hangs on request: what an engine does when it is in
// trouble.
import type {
  EventLog,
  LoggedBlock,
  PartitionStatus,
  Position,
  Work,
} from '../../../infra/event-log/port.ts'
import { Failure } from '../../../schemas/failures.ts'

export class FakeEventLog implements EventLog {
  readonly partitions: number
  maxBlockBytes = 16 << 20
  readonly blocks: { partition: number; offset: number; bytes: Uint8Array }[] = []
  /** Appends wait for `release` while this is true. */
  isHeld = false
  /** Thrown by the appends that follow, until undefined again. */
  failure: Error | undefined
  running = 0
  mostRunning = 0
  readonly #next: number[]
  #waiting: (() => void)[] = []

  constructor(partitions = 1) {
    this.partitions = partitions
    this.#next = Array.from({ length: partitions }, () => 0)
  }

  async append(partition: number, bytes: Uint8Array): Promise<number> {
    this.running += 1
    this.mostRunning = Math.max(this.mostRunning, this.running)
    try {
      if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      else await new Promise<void>((resolve) => setImmediate(resolve))
      if (this.failure) throw this.failure
      const { maxBlockBytes } = this
      if (bytes.length > maxBlockBytes)
        throw new Failure('event_log.block_too_large', { maxBlockBytes })
      const offset = this.blocks.filter((block) => block.partition === partition).length
      this.blocks.push({ partition, offset, bytes: Uint8Array.from(bytes) })
      return offset
    } finally {
      this.running -= 1
    }
  }

  release(): void {
    this.isHeld = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }

  async read(partition: number, from: number): Promise<LoggedBlock[]> {
    return this.blocks.filter((block) => block.partition === partition && block.offset >= from)
  }

  async position(partition: number): Promise<Position> {
    return { next: this.#next[partition] ?? 0, metadata: '' }
  }

  async savePosition(partition: number, position: Position): Promise<void> {
    this.#next[partition] = position.next
  }

  async own(work: Work, signal: AbortSignal): Promise<void> {
    const ownership = { lost: signal, isHeld: () => true }
    await Promise.all(this.#next.map((_, partition) => work(partition, ownership)))
  }

  async status(partition: number): Promise<PartitionStatus> {
    if (this.failure) throw this.failure
    const end = this.blocks.filter((block) => block.partition === partition).length
    const next = this.#next[partition] ?? 0
    return { end, next, blocks: end - next, bytes: 0 }
  }

  async close(): Promise<void> {}
}
