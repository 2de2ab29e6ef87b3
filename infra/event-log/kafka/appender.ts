// Appends to one partition: one batch under way at a time; later blocks join the next one.
// acks=all, and no idempotent producer: a batch whose answer is lost is sent again and may then
// stand in the log twice, which the writer sees by the listener's sequence numbers.
import { Failure } from '../../../schemas/failures.ts'
import { asBuffer } from '../../as-buffer.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { retry } from '../../retry.ts'
import type { KafkaLink } from './link.ts'
import { produce } from './produce.ts'
import { hasCode, KafkaTrouble, unavailable } from './trouble.ts'

/** Brokers refuse a time more than an hour ahead of theirs, so a listener with a wrong clock could
 *  append nothing. Nothing reads this time. */
const NO_TIMESTAMP = -1
/** An append is tried for this long, in which a new leader is found. While the brokers are away it
 *  is answered sooner. */
const APPEND_MS = 8000
const APPEND_AWAY_MS = 1000
const ACK_MS = 5000
const BATCH_BYTES = 1024 * 1024
const BATCH_BLOCKS = 1000
const TOO_LARGE = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']
/** Trying again does not help until an operator has changed rights or topics. */
const USELESS = ['TOPIC_AUTHORIZATION_FAILED', 'REFUSED_USER', 'INVALID_REQUIRED_ACKS']

type Entry = {
  readonly bytes: Uint8Array
  readonly resolve: (offset: number) => void
  readonly reject: (error: unknown) => void
}

/** Bytes that wait in all partitions of the process. */
export type WaitingBytes = { bytes: number; readonly most: number }

export type AppenderOptions = {
  readonly link: KafkaLink
  readonly topic: string
  readonly partition: number
  readonly waiting: WaitingBytes
  readonly maxBlockBytes: number
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}

export class PartitionAppender {
  readonly #options: AppenderOptions
  readonly #queue: Entry[] = []
  #isSending = false
  #isAway = false
  #last = -1

  constructor(options: AppenderOptions) {
    this.#options = options
  }

  append(bytes: Uint8Array): Promise<number> {
    const { waiting } = this.#options
    if (waiting.bytes + bytes.length > waiting.most)
      return Promise.reject(unavailable(new KafkaTrouble('TOO_MUCH_WAITS')))
    waiting.bytes += bytes.length
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, resolve, reject })
      if (!this.#isSending) void this.#send()
    })
  }

  async #send(): Promise<void> {
    this.#isSending = true
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      try {
        const base = await this.#produce(batch)
        batch.forEach(({ resolve }, index) => {
          resolve(base + index)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      for (const { bytes } of batch) this.#options.waiting.bytes -= bytes.length
    }
    this.#isSending = false
  }

  #take(): Entry[] {
    let bytes = 0
    let count = 0
    for (const entry of this.#queue) {
      bytes += entry.bytes.length
      if (count > 0 && (bytes > BATCH_BYTES || count >= BATCH_BLOCKS)) break
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  async #produce(batch: readonly Entry[]): Promise<number> {
    const { clock, signal, maxBlockBytes, logger, partition } = this.#options
    try {
      const base = await retry(() => this.#produceOnce(batch), {
        clock,
        signal,
        limitMs: this.#isAway ? APPEND_AWAY_MS : APPEND_MS,
        firstDelayMs: 50,
        maxDelayMs: 500,
        isRetriable: (error) => !hasCode(error, TOO_LARGE) && !hasCode(error, USELESS),
      })
      this.#isAway = false
      // Blocks acknowledged earlier had higher offsets: so the log was cut, and this block may lie
      // below what the writer has done.
      if (base <= this.#last) {
        logger.error('event log went back, blocks are lost', { partition, offset: base })
        throw new KafkaTrouble('OFFSET_WENT_BACK')
      }
      this.#last = base + batch.length - 1
      return base
    } catch (error) {
      if (hasCode(error, TOO_LARGE))
        throw new Failure('event_log.block_too_large', { maxBlockBytes }, error)
      this.#isAway = true
      throw unavailable(error)
    }
  }

  async #produceOnce(batch: readonly Entry[]): Promise<number> {
    const { link, topic, partition } = this.#options
    const blocks = batch.map(({ bytes }) => asBuffer(bytes))
    const request = { topic, partition, timeoutMs: ACK_MS, timestampMs: NO_TIMESTAMP, blocks }
    return await link.atLeader(partition, (broker) => produce(broker, request))
  }
}
