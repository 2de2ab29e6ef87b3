// The event log: durable, ordered blocks in partitions. Adapters: lmdb.ts (embedded), kafka/.
// Offsets of a partition rise and are never used again; they need not be dense (Kafka leaves gaps).

export type LoggedBlock = { readonly offset: number; readonly bytes: Uint8Array }

/** What the single reader of a partition has done; `metadata` (at most 4 KiB of text) carries its
 *  intent and state. */
export type Position = { readonly next: number; readonly metadata: string }

export type PartitionStatus = {
  /** Offset the next append gets. */
  readonly end: number
  /** Position.next: everything below is stored. */
  readonly next: number
  /** Blocks and bytes not yet stored. */
  readonly blocks: number
  readonly bytes: number
}

/** A process's hold on a partition as its only writer. */
export type Ownership = {
  /** Aborts when the partition is to be given back: end soon. Others get it when the work has
   *  ended, or after some seconds. */
  readonly lost: AbortSignal
  /** False as soon as others may own it, also where `lost` could not yet tell since the process
   *  stood still. */
  isHeld(): boolean
}

export type Work = (partition: number, ownership: Ownership) => Promise<void>

export interface EventLog {
  readonly partitions: number
  /** Of one append. */
  readonly maxBlockBytes: number
  /** Resolves with the offset when the block is flushed to disk (Kafka: acknowledged by all in-sync
   *  replicas). Fails with event_log.full, event_log.unavailable, event_log.block_too_large; like
   *  every other call with event_log.another from when the log was made anew in use, until an
   *  operator has decided. */
  append(partition: number, bytes: Uint8Array): Promise<number>
  /** Blocks from `from` on, in order, at least one unless none comes within `waitMs`; stops after
   *  `maxBytes` are passed. The bytes are the caller's. */
  read(
    partition: number,
    from: number,
    options: { maxBytes: number; waitMs: number; signal?: AbortSignal },
  ): Promise<LoggedBlock[]>
  /** `isExact`: as of the last of all changes; else perhaps as of the one before, but without
   *  keeping other processes waiting. */
  position(partition: number, options?: { readonly isExact?: boolean }): Promise<Position>
  /** Durable when it resolves. Blocks below `next` are given back. `next` never falls.
   *  Fails with event_log.not_owner while another writer owns the partition, or may own it. */
  savePosition(partition: number, position: Position): Promise<void>
  /** Runs `work` for each partition that falls to this process, and again when one comes back to
   *  it; a partition has one owner among all processes. Resolves when `signal` has aborted and all
   *  work has ended; never rejects. Once at a time. */
  own(work: Work, signal: AbortSignal): Promise<void>
  status(partition: number): Promise<PartitionStatus>
  close(): Promise<void>
}
