// The embedded event log: one LMDB environment a partition, shared by the processes of one machine through LMDB's own lock.
// Keys: offset -> block; 'state' -> end and bytes held; 'position' -> what the reader has done. Every change is one transaction,
// answered after its fdatasync (`overlappingSync: false`; by default lmdb-js answers at the commit, before the disk has it).
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { asBuffer } from '../as-buffer.ts'
import type { Clock } from '../clock.ts'
import type { EventLog, LoggedBlock, PartitionStatus, Position, Work } from './port.ts'

type Key = number | 'state' | 'position'
type State = { readonly end: number; readonly bytes: number }

const POLL_MS = 5
const MAX_POLL_MS = 20
const READER_CHECK_MS = 30_000
const GIB = 1024 ** 3
const MAX_METADATA_BYTES = 4096

export type LmdbOptions = {
  readonly directory: string
  readonly partitions: number
  /** Bytes not yet stored, of each partition, above which append fails with event_log.full. */
  readonly maxBytes: number
  readonly maxBlockBytes: number
  readonly clock: Clock
}

export function openLmdbEventLog(options: LmdbOptions): EventLog {
  mkdirSync(options.directory, { recursive: true })
  return new LmdbEventLog(options)
}

export function partitionPath(directory: string, partition: number): string {
  return join(directory, `partition-${partition}`)
}

/** The environment of one partition; also used by remake.ts. */
export function openPartition(path: string, maxBytes: number): RootDatabase<Buffer, Key> {
  return open<Buffer, Key>({
    path,
    encoding: 'binary',
    // Address space, not memory or disk: a removed block's pages are used again only in runs of its length.
    mapSize: 2 * maxBytes + GIB,
    overlappingSync: false,
    cache: false,
    // On, a failed commit also rejects a promise of the batch that nobody can hold (lmdb 3.5): a full disk would end the process.
    eventTurnBatching: false,
    maxReaders: 126,
  })
}

class LmdbEventLog implements EventLog {
  readonly partitions: number
  readonly #options: LmdbOptions
  readonly #databases: RootDatabase<Buffer, Key>[]
  /** By partition: bytes of the blocks that were read and are not yet removed, so that removing them reads none again. */
  readonly #lengths: readonly Map<number, number>[]
  readonly #closed = new AbortController()
  readonly #readerCheck: NodeJS.Timeout

  constructor(options: LmdbOptions) {
    this.partitions = options.partitions
    this.#options = options
    this.#databases = Array.from({ length: options.partitions }, (_, partition) =>
      openPartition(partitionPath(options.directory, partition), options.maxBytes),
    )
    this.#lengths = this.#databases.map(() => new Map())
    this.#freeDeadReaders()
    // A process killed while it read would keep its snapshot's pages from being used again.
    this.#readerCheck = setInterval(() => this.#freeDeadReaders(), READER_CHECK_MS)
    this.#readerCheck.unref()
  }

  async append(partition: number, bytes: Uint8Array): Promise<number> {
    const { maxBlockBytes, maxBytes } = this.#options
    if (bytes.length > maxBlockBytes)
      throw new Failure('event_log.block_too_large', { maxBlockBytes })
    const database = this.#database(partition)
    return await this.#write(database, () => {
      const state = readState(database)
      if (state.bytes + bytes.length > maxBytes) throw new Failure('event_log.full')
      void database.put(state.end, asBuffer(bytes))
      void database.put(
        'state',
        encodeState({ end: state.end + 1, bytes: state.bytes + bytes.length }),
      )
      return state.end
    })
  }

  async read(
    partition: number,
    from: number,
    options: { maxBytes: number; waitMs: number; signal?: AbortSignal },
  ): Promise<LoggedBlock[]> {
    const database = this.#database(partition)
    const { clock } = this.#options
    const deadline = clock.elapsedMs() + options.waitMs
    for (let pollMs = POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, pollMs + 1)) {
      if (this.#closed.signal.aborted || options.signal?.aborted) return []
      const blocks = readBlocks(database, from, options.maxBytes)
      for (const { offset, bytes } of blocks) this.#lengths[partition]?.set(offset, bytes.length)
      const leftMs = deadline - clock.elapsedMs()
      if (blocks.length > 0 || leftMs <= 0) return blocks
      // Short enough that a close is seen behind it.
      await clock.sleep(Math.min(pollMs, leftMs), options.signal)
    }
  }

  async position(partition: number): Promise<Position> {
    return readPosition(this.#database(partition))
  }

  async savePosition(partition: number, position: Position): Promise<void> {
    if (Buffer.byteLength(position.metadata) > MAX_METADATA_BYTES) {
      throw new Error('the metadata of a position is longer than 4 KiB')
    }
    const database = this.#database(partition)
    const lengths = this.#lengths[partition] ?? new Map<number, number>()
    await this.#write(database, () => {
      const before = readPosition(database)
      if (position.next < before.next) throw new Error('a position may not fall')
      let freed = 0
      for (const key of database.getKeys({ end: position.next })) {
        const known = typeof key === 'number' ? lengths.get(key) : undefined
        freed += known ?? database.get(key)?.length ?? 0
        void database.remove(key)
      }
      const state = readState(database)
      const end = Math.max(state.end, position.next)
      if (freed > 0 || end !== state.end) {
        void database.put('state', encodeState({ end, bytes: state.bytes - freed }))
      }
      void database.put('position', Buffer.from(JSON.stringify(position)))
    })
    for (const offset of lengths.keys()) if (offset < position.next) lengths.delete(offset)
  }

  /** One process of the machine runs the writer; all partitions are its own until the end. */
  async own(work: Work, signal: AbortSignal): Promise<void> {
    const lost = AbortSignal.any([signal, this.#closed.signal])
    const ownership = { lost, isHeld: () => true }
    const partitions = this.#databases.map((_, partition) => partition)
    await Promise.allSettled(partitions.map((partition) => work(partition, ownership)))
  }

  async status(partition: number): Promise<PartitionStatus> {
    const database = this.#database(partition)
    const state = readState(database)
    const { next } = readPosition(database)
    return { end: state.end, next, blocks: state.end - next, bytes: state.bytes }
  }

  async close(): Promise<void> {
    clearInterval(this.#readerCheck)
    this.#closed.abort()
    await Promise.all(this.#databases.map((database) => database.close()))
  }

  #database(partition: number): RootDatabase<Buffer, Key> {
    const database = this.#databases[partition]
    if (!database) throw new Error('no such partition')
    if (this.#closed.signal.aborted) throw new Failure('event_log.unavailable')
    database.resetReadTxn()
    return database
  }

  /** One durable transaction, in LMDB's own thread: a slow disk, or another process that holds the write lock, must not hold
   *  the event loop. The engine's own errors become event_log.full or event_log.unavailable. */
  async #write<T>(database: Database<Buffer, Key>, change: () => T): Promise<T> {
    try {
      return await database.transaction(change)
    } catch (error) {
      if (isFailure(error)) throw error
      const cause = await commitError(error)
      throw new Failure(isNoSpace(cause) ? 'event_log.full' : 'event_log.unavailable', {}, cause)
    }
  }

  #freeDeadReaders(): void {
    for (const database of this.#databases) database.readerCheck()
  }
}

function readBlocks(
  database: Database<Buffer, Key>,
  from: number,
  maxBytes: number,
): LoggedBlock[] {
  database.resetReadTxn()
  const blocks: LoggedBlock[] = []
  if (readState(database).end <= from) return blocks
  let bytes = 0
  for (const { key, value } of database.getRange({ start: from, end: Number.MAX_SAFE_INTEGER })) {
    if (typeof key !== 'number') break
    // The range hands out copies: 'binary' values are never slices of the map.
    blocks.push({ offset: key, bytes: value })
    bytes += value.length
    if (bytes >= maxBytes) break
  }
  return blocks
}

function readState(database: Database<Buffer, Key>): State {
  const bytes = database.get('state')
  return bytes ? { end: bytes.readDoubleLE(0), bytes: bytes.readDoubleLE(8) } : { end: 0, bytes: 0 }
}

function encodeState(state: State): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeDoubleLE(state.end, 0)
  bytes.writeDoubleLE(state.bytes, 8)
  return bytes
}

function readPosition(database: Database<Buffer, Key>): Position {
  const bytes = database.get('position')
  if (!bytes) return { next: 0, metadata: '' }
  const position: Position = JSON.parse(bytes.toString())
  return { next: position.next, metadata: position.metadata }
}

/** lmdb-js (3.5) rejects a failed commit with an error whose `commitError` is a promise that rejects with the real one. */
async function commitError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (cause) {
    return cause
  }
}

const MDB_MAP_FULL = -30_792
const ENOSPC = 28
/** What LMDB makes of a write that the full disk cut short. */
const EIO = 5

function isNoSpace(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === MDB_MAP_FULL || code === ENOSPC || code === EIO
}
