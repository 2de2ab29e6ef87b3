// How much of a partition is not yet stored. Kafka counts offsets, not bytes: a small rest is read
// and is exact, of a larger one the first mebibyte is read and the others are taken to be like
// those.
import type { Clock } from '../../clock.ts'
import type { PartitionStatus } from '../port.ts'
import type { Positions } from './positions.ts'
import type { PartitionReader } from './reader.ts'

const SAMPLE_BYTES = 1024 * 1024
const SMALL_BLOCKS = 16
/** A sample of a large backlog is used again for so long. */
const SAMPLE_MS = 5000
/** What the limit is tested against is asked for again when it is older. */
const FRESH_MS = 2000
const FRESH_FULL_MS = 200

type Sample = { readonly mean: number; readonly atMs: number }

export class Backlog {
  readonly #reader: PartitionReader
  readonly #positions: Positions
  readonly #partition: number
  readonly #clock: Clock
  #sample: Sample | undefined
  /** Bytes not yet stored, when last asked, and what this process has appended since. */
  #bytes = 0
  #appended = 0
  #askedMs: number | undefined
  #hasMoved = false
  #asking: Promise<void> | undefined

  constructor(options: {
    reader: PartitionReader
    positions: Positions
    partition: number
    clock: Clock
  }) {
    this.#reader = options.reader
    this.#positions = options.positions
    this.#partition = options.partition
    this.#clock = options.clock
  }

  /** Fails with KafkaTrouble. */
  async status(): Promise<PartitionStatus> {
    const [{ low, end }, position] = await Promise.all([
      this.#reader.bounds(),
      this.#positions.fetch(this.#partition),
    ])
    const next = position?.next ?? low
    const from = Math.max(low, next)
    const blocks = Math.max(0, end - from)
    return { end, next, blocks, bytes: blocks === 0 ? 0 : await this.#weigh(from, blocks) }
  }

  /** False when `bytes` more would pass `most`. Without an answer of the brokers what was last
   *  known counts. */
  async hasRoom(bytes: number, most: number): Promise<boolean> {
    if (!Number.isFinite(most)) return true
    const asking = this.#isOlder(FRESH_MS) ? this.#ask() : undefined
    // Far from the limit nobody waits for the answer.
    if (this.#askedMs === undefined || !this.#fits(bytes, most / 2)) await asking
    if (this.#fits(bytes, most)) return true
    if (this.#hasMoved || this.#isOlder(FRESH_FULL_MS)) await this.#ask()
    return this.#fits(bytes, most)
  }

  appended(bytes: number): void {
    this.#appended += bytes
  }

  /** The position has moved: what is known is too much. */
  moved(): void {
    this.#hasMoved = true
  }

  #fits(bytes: number, most: number): boolean {
    return this.#bytes + this.#appended + bytes <= most
  }

  #isOlder(ms: number): boolean {
    return this.#clock.elapsedMs() - (this.#askedMs ?? Number.NEGATIVE_INFINITY) > ms
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #askOnce(): Promise<void> {
    const appendedBefore = this.#appended
    this.#hasMoved = false
    try {
      this.#bytes = (await this.status()).bytes
      // What was appended meanwhile may be counted twice for a moment, never not at all.
      this.#appended -= appendedBefore
    } catch {
      // The append itself will say so.
    }
    this.#askedMs = this.#clock.elapsedMs()
  }

  async #weigh(from: number, blocks: number): Promise<number> {
    const sample = this.#sample
    if (blocks > SMALL_BLOCKS && sample && this.#clock.elapsedMs() - sample.atMs < SAMPLE_MS)
      return Math.round(sample.mean * blocks)
    const signal = new AbortController().signal
    const read = await this.#reader.read(from, { maxBytes: SAMPLE_BYTES, waitMs: 0, signal })
    const bytes = read.reduce((sum, block) => sum + block.bytes.length, 0)
    if (read.length === 0) return 0
    this.#sample = { mean: bytes / read.length, atMs: this.#clock.elapsedMs() }
    return read.length >= blocks ? bytes : Math.round(this.#sample.mean * blocks)
  }
}
