// Reads one partition through a link of its own: a read waits at the broker for blocks to come.
import type { FetchedMessage } from 'kafkajs/src/cluster/index.js'
import type { Clock } from '../../clock.ts'
import type { LoggedBlock } from '../port.ts'
import type { KafkaLink } from './link.ts'
import { hasCode } from './trouble.ts'

/** A wait at the broker cannot be called off: the next request on its connection comes after
 *  it. */
const WAIT_MS = 500
const BEHIND_END_MS = 200
/** Where blocks keep coming they are fetched together: a fetch for each costs the broker, and us,
 *  as much as its append. */
const GATHER_MS = 20
const GATHER_BYTES = 256 * 1024

export type Bounds = { readonly low: number; readonly end: number }
export type ReadOptions = {
  readonly maxBytes: number
  readonly waitMs: number
  readonly signal: AbortSignal
}

const EARLIEST = -2
const LATEST = -1

export class PartitionReader {
  readonly #link: KafkaLink
  readonly #topic: string
  readonly #partition: number
  readonly #clock: Clock
  #isBusy = false

  constructor(options: { link: KafkaLink; topic: string; partition: number; clock: Clock }) {
    this.#link = options.link
    this.#topic = options.topic
    this.#partition = options.partition
    this.#clock = options.clock
  }

  /** As EventLog.read; fails with KafkaTrouble. */
  async read(from: number, { maxBytes, waitMs, signal }: ReadOptions): Promise<LoggedBlock[]> {
    const deadline = this.#clock.elapsedMs() + waitMs
    for (let at = from; !signal.aborted; ) {
      const leftMs = Math.max(0, deadline - this.#clock.elapsedMs())
      try {
        const waitMs = Math.min(leftMs, this.#isBusy ? GATHER_MS : WAIT_MS)
        const blocks = await orAbort(this.#fetch(at, maxBytes, waitMs), signal)
        if (blocks.length > 0 || leftMs === 0) return blocks
      } catch (error) {
        if (!hasCode(error, ['OFFSET_OUT_OF_RANGE'])) throw error
        const { low } = await this.bounds()
        if (at < low) at = low
        else if (leftMs === 0) return []
        else await this.#clock.sleep(Math.min(leftMs, BEHIND_END_MS), signal)
      }
    }
    return []
  }

  async bounds(): Promise<Bounds> {
    const low = await this.#offset(EARLIEST)
    return { low, end: Math.max(low, await this.#offset(LATEST)) }
  }

  /** What lies below `offset` is given back; the broker frees it by whole segments. */
  async trim(offset: number): Promise<void> {
    const partitions = [{ partition: this.#partition, offset: String(offset) }]
    await this.#link.atLeader(this.#partition, (broker) =>
      broker.deleteRecords({ topics: [{ topic: this.#topic, partitions }] }),
    )
  }

  async #offset(timestamp: number): Promise<number> {
    const partitions = [{ partition: this.#partition, timestamp }]
    const answer = await this.#link.atLeader(this.#partition, (broker) =>
      broker.listOffsets({ isolationLevel: 0, topics: [{ topic: this.#topic, partitions }] }),
    )
    return Number(answer.responses[0]?.partitions[0]?.offset ?? 0)
  }

  /** A broker stops before the batch that would pass `maxBytes`: it is asked again, until they are
   *  passed or nothing is left. */
  async #fetch(from: number, maxBytes: number, waitMs: number): Promise<LoggedBlock[]> {
    const blocks: LoggedBlock[] = []
    let bytes = 0
    for (let at = from; ; ) {
      const isFirst = blocks.length === 0
      const { messages, end } = await this.#fetchOnce(at, maxBytes - bytes, isFirst ? waitMs : 0)
      if (isFirst) this.#isBusy = messages.length > 0
      for (const message of messages) {
        const offset = Number(message.offset)
        // Batches come whole.
        if (offset < at || message.isControlRecord || message.value === null) continue
        blocks.push({ offset, bytes: message.value })
        bytes += message.value.length
        if (bytes >= maxBytes) return blocks
      }
      const last = blocks.at(-1)
      if (last === undefined || last.offset < at || last.offset + 1 >= end) return blocks
      at = last.offset + 1
    }
  }

  async #fetchOnce(
    from: number,
    maxBytes: number,
    waitMs: number,
  ): Promise<{ messages: readonly FetchedMessage[]; end: number }> {
    const partition = this.#partition
    const part = { partition, currentLeaderEpoch: -1, fetchOffset: String(from), maxBytes }
    const answer = await this.#link.atLeader(
      partition,
      (broker) =>
        broker.fetch({
          maxWaitTime: Math.ceil(waitMs),
          minBytes: waitMs > 0 && this.#isBusy ? Math.min(GATHER_BYTES, maxBytes) : 1,
          maxBytes,
          isolationLevel: 0,
          topics: [{ topic: this.#topic, partitions: [part] }],
        }),
      waitMs,
    )
    const found = answer.responses[0]?.partitions[0]
    return { messages: found?.messages ?? [], end: Number(found?.highWatermark ?? 0) }
  }
}

/** [] when the signal aborts first; what was asked then ends by itself. */
async function orAbort<T>(asked: Promise<T[]>, signal: AbortSignal): Promise<T[]> {
  let stop = () => {}
  const aborted = new Promise<T[]>((resolve) => {
    stop = () => resolve([])
    signal.addEventListener('abort', stop, { once: true })
  })
  asked.catch(() => undefined)
  try {
    return await Promise.race([asked, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
