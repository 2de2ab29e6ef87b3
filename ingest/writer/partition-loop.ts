// The one loop of a partition (decision 0003). While the store works at a batch the next one is
// built, which keeps the thread busy: not before the first has been sent. Its intent is recorded
// only after the commit of the one before.
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Settings } from '../../infra/metastore/settings/port.ts'
import { isFailure } from '../../schemas/failures.ts'
import type { Batch } from './batch/batch.ts'
import type { BatchFactory } from './batch/batch-factory.ts'
import { remainingMs } from './batch/pace.ts'
import type { RowLimits } from './batch/row-builder.ts'
import type { BatchGate } from './batch-gate.ts'
import { type BatchSettings, type BatchStorer, UnitMismatch } from './batch-storer.ts'
import { isLaterBlock } from './block-reader.ts'
import type { Cursor } from './cursor.ts'
import { keepTrying, Stopped } from './keep-trying.ts'
import type { StoreKeys } from './keys/stored-keys.ts'
import type { Sequences, StoredTotal } from './position-state.ts'
import type { WriterTelemetry } from './telemetry.ts'

const READ_WAIT_MS = 1000

export type PartitionLoopOptions = {
  readonly partition: number
  readonly next: number
  readonly storer: BatchStorer
  readonly gate: BatchGate
  /** What the store has of the partition when no batch is on its way. */
  readonly readTotal: () => Promise<StoredTotal>
  readonly factory: BatchFactory
  readonly stored: StoreKeys
  readonly metastore: Settings
  readonly limits: RowLimits
  readonly columnsPerLog: number
  readonly clock: Clock
  readonly logger: Logger
  readonly telemetry: WriterTelemetry
  readonly signal: AbortSignal
}

export class PartitionLoop {
  readonly #options: PartitionLoopOptions
  #at: Cursor
  #sequences: Sequences
  #inFlight: Promise<void> = Promise.resolve()
  #isInFlight = false
  #failure: unknown
  #insertStartedMs = Number.NEGATIVE_INFINITY
  /** What the last batch took to be stored. */
  #insertMs = 0

  constructor(options: PartitionLoopOptions) {
    this.#options = options
    this.#at = { offset: options.next, index: options.storer.state.index }
    this.#sequences = options.storer.state.sequences
  }

  /** Resolves when stopped, or when the partition had to be given up (alarm). */
  async run(): Promise<void> {
    const { signal, storer, gate } = this.#options
    try {
      const { intent } = storer.state
      await gate.pass(() => storer.resume(), signal)
      if (intent !== undefined) this.#takeUp(intent.to)
      if (storer.state.stored === undefined) await gate.pass(() => this.#count(), signal)
      while (!signal.aborted) await this.#step()
    } catch (error) {
      this.#giveUp(error)
    }
    await this.#inFlight
    if (this.#failure !== undefined) this.#giveUp(this.#failure)
  }

  async #count(): Promise<void> {
    const { storer, readTotal } = this.#options
    const stored = await keepTrying('counters not read, trying again', readTotal, this.#options)
    await storer.countFrom(stored, this.#at.offset)
  }

  async #step(): Promise<void> {
    const settings: BatchSettings = {
      isDead: false,
      columnsPerLog: this.#options.columnsPerLog,
      timeZone: this.#options.metastore.setting('system.timeZone'),
      builtMs: this.#options.clock.nowMs(),
    }
    const batch = await this.#build(settings)
    await this.#inFlight
    if (this.#failure !== undefined) throw this.#failure
    if (batch === undefined) return
    await this.#options.gate.enter(this.#options.signal)
    this.#takeUp(batch.range.to, batch.sequences)
    await this.#start(batch, settings)
  }

  /** Resolves when the batch has been sent, or is over. */
  async #start(batch: Batch, settings: BatchSettings): Promise<void> {
    const { storer, stored, clock } = this.#options
    const removePending = stored.addPending(batch.keys)
    this.#insertStartedMs = clock.elapsedMs()
    this.#isInFlight = true
    await new Promise<void>((onSent) => {
      this.#inFlight = storer
        .store(batch, settings, onSent)
        .catch((error: unknown) => {
          this.#failure = error
        })
        .finally(() => {
          this.#isInFlight = false
          this.#insertMs = clock.elapsedMs() - this.#insertStartedMs
          removePending()
          this.#options.gate.leave()
          onSent()
        })
    })
  }

  #takeUp(to: Cursor, sequences = this.#options.storer.state.sequences): void {
    this.#at = to
    this.#sequences = sequences
  }

  /** Repeats while the database is away; what it reads is not lost. */
  async #build(settings: BatchSettings): Promise<Batch | undefined> {
    const { factory, signal, limits, stored, telemetry } = this.#options
    const job = {
      from: this.#at,
      sequences: this.#sequences,
      mode: { kind: 'create' },
      limits,
      ...settings,
      stored,
    } as const
    let isStoreMissed = false
    const build = async () => {
      // Nothing is built after a batch that failed.
      if (this.#failure !== undefined) return undefined
      try {
        const batch = await factory.build(job, (rows) => this.#patience(rows), signal)
        if (isStoreMissed) telemetry.storeAnswers(true)
        return batch
      } catch (error) {
        // Whether a keyed request is stored already, the store alone knows.
        if (isFailure(error) && error.code.startsWith('store.')) {
          isStoreMissed = true
          telemetry.storeAnswers(false)
        }
        throw error
      }
    }
    try {
      const batch = await keepTrying('batch not built, trying again', build, this.#options)
      return signal.aborted ? undefined : batch
    } catch (error) {
      if (error instanceof Stopped || this.#failure !== undefined) return undefined
      throw error
    }
  }

  /** How long the batch being built may wait for more. */
  #patience(rows: number): number | undefined {
    if (this.#failure !== undefined) return undefined
    if (rows === 0) return READ_WAIT_MS
    const sinceMs = this.#options.clock.elapsedMs() - this.#insertStartedMs
    const leftMs = remainingMs(sinceMs, this.#insertMs)
    // Short waits: the insert before may end meanwhile.
    if (this.#isInFlight) return 20
    return leftMs > 0 ? Math.min(leftMs, 20) : undefined
  }

  #giveUp(error: unknown): void {
    const { logger, partition, telemetry, signal } = this.#options
    if (error instanceof Stopped || signal.aborted) return
    telemetry.alarm(true)
    const isOfLog = isFailure(error) && error.code.startsWith('event_log.')
    const reason = isOfLog ? { reason: error.message } : {}
    logger.error(phraseOf(error), { partition, ...describeError(error), ...reason })
  }
}

function phraseOf(error: unknown): string {
  if (error instanceof UnitMismatch) return 'partition stopped, the store contradicts the intent'
  if (isLaterBlock(error)) return 'partition stopped, a newer program wrote the next block'
  if (isFailure(error) && error.code === 'event_log.damaged')
    return 'partition stopped, the event log is damaged'
  return 'partition stopped, the writer failed'
}
