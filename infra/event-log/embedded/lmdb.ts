// The embedded event log: LMDB environments shared by the processes of one machine through LMDB's
// own lock.
import { mkdir } from 'node:fs/promises'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import { describeError, type Logger } from '../../logger.ts'
import type { EventLog, LoggedBlock, PartitionStatus, Position, Work } from '../port.ts'
import { EmbeddedPartition } from './partition.ts'

const POLL_MS = 5
const MAX_POLL_MS = 20
const READER_CHECK_MS = 30_000
const SPACE_CHECK_MS = 2000
const MAX_METADATA_BYTES = 4096

export type LmdbOptions = {
  readonly directory: string
  readonly partitions: number
  /** Bytes not yet stored, of each partition, above which append fails with event_log.full. */
  readonly maxBytes: number
  readonly maxBlockBytes: number
  readonly clock: Clock
  readonly logger: Logger
}

export async function openLmdbEventLog(options: LmdbOptions): Promise<EventLog> {
  const { directory, maxBytes, clock } = options
  await mkdir(directory, { recursive: true })
  const opened = await Promise.allSettled(
    Array.from({ length: options.partitions }, (_, partition) =>
      EmbeddedPartition.open({ directory, partition, maxBytes, clock }),
    ),
  )
  const partitions = opened.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
  const failed = opened.find((it) => it.status === 'rejected')
  if (failed === undefined) return new LmdbEventLog(options, partitions)
  await Promise.all(partitions.map((partition) => partition.close()))
  throw failed.reason
}

class LmdbEventLog implements EventLog {
  readonly partitions: number
  readonly maxBlockBytes: number
  readonly #options: LmdbOptions
  readonly #partitions: readonly EmbeddedPartition[]
  readonly #closed = new AbortController()
  readonly #readerCheck: NodeJS.Timeout
  #giving: Promise<void> = Promise.resolve()

  constructor(options: LmdbOptions, partitions: readonly EmbeddedPartition[]) {
    this.partitions = partitions.length
    this.maxBlockBytes = options.maxBlockBytes
    this.#options = options
    this.#partitions = partitions
    this.#freeDeadReaders()
    // A process killed while it read would keep its snapshot's pages from being used again.
    this.#readerCheck = setInterval(() => this.#freeDeadReaders(), READER_CHECK_MS)
    this.#readerCheck.unref()
  }

  async append(partition: number, bytes: Uint8Array): Promise<number> {
    const { maxBlockBytes } = this
    if (bytes.length > maxBlockBytes)
      throw new Failure('event_log.block_too_large', { maxBlockBytes })
    return await this.#partition(partition).append(bytes)
  }

  async read(
    partition: number,
    from: number,
    options: { maxBytes: number; waitMs: number; signal?: AbortSignal },
  ): Promise<LoggedBlock[]> {
    const found = this.#partition(partition)
    const { clock } = this.#options
    const deadline = clock.elapsedMs() + options.waitMs
    for (let pollMs = POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, pollMs + 1)) {
      if (this.#closed.signal.aborted || options.signal?.aborted) return []
      const blocks = await found.read(from, options.maxBytes)
      const leftMs = deadline - clock.elapsedMs()
      if (blocks.length > 0 || leftMs <= 0) return blocks
      // Short enough that a close is seen after it.
      await clock.sleep(Math.min(pollMs, leftMs), options.signal)
    }
  }

  async position(
    partition: number,
    { isExact = false }: { readonly isExact?: boolean } = {},
  ): Promise<Position> {
    return await this.#partition(partition).position(isExact)
  }

  async savePosition(partition: number, position: Position): Promise<void> {
    if (Buffer.byteLength(position.metadata) > MAX_METADATA_BYTES) {
      throw new Error('the metadata of a position is longer than 4 KiB')
    }
    await this.#partition(partition).savePosition(position)
  }

  /** One process of the machine runs the writer; all partitions are its own until the end. It is
   *  also the one that gives space back. */
  async own(work: Work, signal: AbortSignal): Promise<void> {
    const lost = AbortSignal.any([signal, this.#closed.signal])
    if (lost.aborted) return
    const ownership = { lost, isHeld: () => true }
    this.#giving = this.#giveSpaceBack(lost)
    const works = this.#partitions.map((_, partition) => work(partition, ownership))
    await Promise.allSettled([...works, this.#giving])
  }

  async status(partition: number): Promise<PartitionStatus> {
    return await this.#partition(partition).status()
  }

  async close(): Promise<void> {
    clearInterval(this.#readerCheck)
    this.#closed.abort()
    await this.#giving
    await Promise.all(this.#partitions.map((partition) => partition.close()))
  }

  async #giveSpaceBack(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options
    for (;;) {
      await clock.sleep(SPACE_CHECK_MS, signal)
      if (signal.aborted) return
      for (const [partition, it] of this.#partitions.entries()) {
        try {
          await it.giveSpaceBack()
        } catch (error) {
          // The next look tries again; what matters of it every append says, too.
          logger.debug('space not given back', { partition, ...describeError(error) })
        }
      }
    }
  }

  #partition(partition: number): EmbeddedPartition {
    const found = this.#partitions[partition]
    if (!found) throw new Error('no such partition')
    if (this.#closed.signal.aborted) throw new Failure('event_log.unavailable')
    return found
  }

  #freeDeadReaders(): void {
    for (const partition of this.#partitions) partition.freeDeadReaders()
  }
}
