// Makes requests durable in groups. A partition has one append under way at most; what arrives
// meanwhile gathers in the open block, which closes when that append ends (no timer: an idle
// listener commits at once) or, before that, at about 1 MiB or 256 requests. A request is never
// cut: a larger one is a block of its own. All requests of a block are answered together. After a
// block of many requests the next one waits a moment, no longer than that append took: senders that
// wait for their answers would otherwise fall into two halves that take turns, and each event costs
// twice as many appends, flushes and reads.
import type { Clock } from '../../../infra/clock.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import type { BlockRequest, EventOrigins } from '../../../schemas/block/schema.ts'
import { isFailure } from '../../../schemas/failures.ts'
import type { ListenerFailureCode } from '../admission/outcome.ts'
import type { Telemetry } from '../telemetry.ts'
import type { BlockPlace } from './receipt.ts'

export type Committed =
  | { readonly kind: 'durable'; readonly place: BlockPlace }
  | { readonly kind: 'failed'; readonly code: ListenerFailureCode }

type Done = (committed: Committed) => void
type Entry = { readonly request: BlockRequest; readonly done: Done }
type Options = {
  readonly eventLog: EventLog
  /** Random id of this start of the listener. */
  readonly listener: string
  readonly clock: Clock
  readonly logger: Logger
  readonly telemetry: Telemetry
}

const TARGET_BLOCK_BYTES = 1024 * 1024
/** More would be taken in, flushed and answered in lock step: nobody else works while one of these
 *  goes on. */
const MOST_REQUESTS = 256
const MANY_REQUESTS = 8
const MOST_PAUSE_MS = 4
/** An append that takes longer is given up for its senders (it may still succeed: they repeat). */
const APPEND_TIMEOUT_MS = 20_000
/** A failure counts for so long. A listener that gets no requests while it is not ready could not
 *  find out that it is over. */
const FAILURE_COUNTS_MS = 5000
const REJECTION_BYTES = 16
const REQUEST_BYTES = 128
const PLACE_BYTES = 8
/** At most, of a character in UTF-8. */
const CHARACTER_BYTES = 3

export class GroupCommit {
  readonly #partitions: Partition[]

  constructor(options: Options) {
    this.#partitions = Array.from(
      { length: options.eventLog.partitions },
      (_, number) => new Partition(number, options),
    )
  }

  /** `done` is called once, after the block is durable or has failed, never in this turn; again,
   *  with listener.internal, when it throws. */
  add(partition: number, request: BlockRequest, done: Done): void {
    const found = this.#partitions[partition]
    if (!found) throw new Error('no such partition')
    found.add({ request, done })
  }

  /** False while an append hangs, and for 5 s after one that failed and was followed by none. */
  get isHealthy(): boolean {
    return this.#partitions.every((partition) => partition.isHealthy)
  }

  /** True while an append hangs: new requests would only wait for it. */
  isHanging(partition: number): boolean {
    return this.#partitions[partition]?.isHanging ?? false
  }

  /** To be called about once a second: gives up what waits for an append that hangs. */
  checkTime(): void {
    for (const partition of this.#partitions) partition.checkTime()
  }
}

class Partition {
  readonly #number: number
  readonly #options: Options
  #open: Entry[] = []
  #openBytes = 0
  /** Closed blocks that wait for the append under way. */
  readonly #closed: Entry[][] = []
  #appending: Entry[] | undefined
  #appendStartMs = 0
  #isScheduled = false
  #pauseMs = 0
  #sequence = 0
  #failedMs: number | undefined
  isHanging = false

  constructor(number: number, options: Options) {
    this.#number = number
    this.#options = options
  }

  get isHealthy(): boolean {
    if (this.isHanging) return false
    const { clock } = this.#options
    return this.#failedMs === undefined || clock.elapsedMs() - this.#failedMs >= FAILURE_COUNTS_MS
  }

  add(entry: Entry): void {
    const bytes = weigh(entry.request)
    const isFull =
      this.#open.length >= MOST_REQUESTS || this.#openBytes + bytes > TARGET_BLOCK_BYTES
    if (this.#open.length > 0 && isFull) {
      this.#closed.push(this.#takeOpen())
      // A full one need not wait.
      this.#appendNext()
    }
    this.#open.push(entry)
    this.#openBytes += bytes
    this.#schedule()
  }

  checkTime(): void {
    if (!this.#appending) return
    const { clock, logger } = this.#options
    if (clock.elapsedMs() - this.#appendStartMs < APPEND_TIMEOUT_MS) return
    if (!this.isHanging) logger.error('event log append hangs', { partition: this.#number })
    this.#failedMs = clock.elapsedMs()
    this.isHanging = true
    const given = [this.#appending, ...this.#closed.splice(0), this.#takeOpen()]
    // Its block may still become durable, but nobody waits for it any more.
    this.#appending = []
    for (const entries of given) this.#answer(entries, failed('listener.event_log_unavailable'))
  }

  #schedule(): void {
    if (this.#appending || this.#isScheduled) return
    this.#isScheduled = true
    const go = () => {
      this.#isScheduled = false
      this.#appendNext()
    }
    if (this.#pauseMs >= 1 && this.#closed.length === 0)
      void this.#options.clock.sleep(this.#pauseMs).then(go)
    // At the end of this turn: what the same turn of the event loop brings joins the block.
    else setImmediate(go)
  }

  #appendNext(): void {
    if (this.#appending) return
    const entries = this.#closed.shift() ?? this.#takeOpen()
    if (entries.length === 0) return
    this.#appending = entries
    this.#appendStartMs = this.#options.clock.elapsedMs()
    void this.#append(entries)
  }

  async #append(entries: readonly Entry[]): Promise<void> {
    const { clock, telemetry } = this.#options
    let committed: Committed
    try {
      const offset = await this.#write(entries)
      committed = { kind: 'durable', place: { partition: this.#number, offset } }
      this.#noteHealthy()
    } catch (error) {
      committed = failed(this.#noteFailure(error))
    }
    const tookMs = clock.elapsedMs() - this.#appendStartMs
    telemetry.appended(tookMs, committed.kind)
    this.#pauseMs = entries.length >= MANY_REQUESTS ? Math.min(tookMs, MOST_PAUSE_MS) : 0
    const answered = this.#appending ?? []
    this.#appending = undefined
    this.isHanging = false
    if (isTooLarge(committed) && answered.length > 1) {
      // One of them is, not all: each as a block of its own.
      this.#closed.unshift(...answered.map((entry) => [entry]))
      this.#appendNext()
      return
    }
    // The disk works on the next block while this one's senders are answered.
    if (this.#pauseMs < 1 || this.#closed.length > 0) this.#appendNext()
    else if (this.#open.length > 0) this.#schedule()
    this.#answer(answered, committed)
  }

  #write(entries: readonly Entry[]): Promise<number> {
    // A number is never used twice, also after a failure: an append of which the end is unknown may
    // have succeeded.
    this.#sequence += 1
    const block = encodeBlock({
      listener: this.#options.listener,
      sequence: this.#sequence,
      requests: entries.map((entry) => entry.request),
    })
    return this.#options.eventLog.append(this.#number, block)
  }

  #takeOpen(): Entry[] {
    const entries = this.#open
    this.#open = []
    this.#openBytes = 0
    return entries
  }

  #noteHealthy(): void {
    if (this.#failedMs === undefined) return
    this.#failedMs = undefined
    this.#options.logger.info('event log accepts data again', { partition: this.#number })
  }

  /** One that throws leaves no other without an answer. */
  #answer(entries: readonly Entry[], committed: Committed): void {
    for (const { done } of entries) {
      try {
        done(committed)
      } catch (error) {
        this.#options.logger.error('ingest request failed', describeError(error))
        answerFailed(done)
      }
    }
  }

  /** Logs the first failure of a row only. */
  #noteFailure(error: unknown): ListenerFailureCode {
    const code = listenerCode(error)
    if (code === 'listener.block_too_large') return code
    const { clock, logger } = this.#options
    if (this.#failedMs === undefined || code === 'listener.internal') {
      const fields = { partition: this.#number, ...describeError(error) }
      logger.error('event log append failed', fields)
    }
    this.#failedMs = clock.elapsedMs()
    return code
  }
}

function listenerCode(error: unknown): ListenerFailureCode {
  if (!isFailure(error)) return 'listener.internal'
  if (error.code === 'event_log.full') return 'listener.event_log_full'
  // Of a request that is a block of its own: it would be refused again.
  if (error.code === 'event_log.block_too_large') return 'listener.block_too_large'
  return 'listener.event_log_unavailable'
}

function isTooLarge(committed: Committed): boolean {
  return committed.kind === 'failed' && committed.code === 'listener.block_too_large'
}

function failed(code: ListenerFailureCode): Committed {
  return { kind: 'failed', code }
}

function answerFailed(done: Done): void {
  try {
    done(failed('listener.internal'))
  } catch {
    // It was logged with what it threw first.
  }
}

/** Bytes in the block, about, rather too many. */
function weigh(request: BlockRequest): number {
  const { hostName, peer, idempotencyKey, body, ranges, rejections, origins } = request
  const characters = hostName.length + peer.length + idempotencyKey.length
  const bytes = REQUEST_BYTES + characters * CHARACTER_BYTES + body.length + ranges.byteLength
  const about = bytes + rejections.length * REJECTION_BYTES
  return origins === undefined ? about : about + weighOrigins(origins)
}

function weighOrigins({ places, placeOf, times }: EventOrigins): number {
  let bytes = placeOf.byteLength + times.byteLength
  for (const { host, source } of places)
    bytes += PLACE_BYTES + (host.length + source.length) * CHARACTER_BYTES
  return bytes
}
