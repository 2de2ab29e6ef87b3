// Puts the chunks of one body together. The engine may take a chunk's memory back after the call,
// so each is copied once into one buffer that grows: a list of copies would let a sender of
// one-byte chunks cost a hundred times its bytes.
import type { BodyBudget } from './port.ts'

/** Thousands of senders that have sent a byte each must leave room for others. */
const FIRST_CAPACITY = 4 * 1024

export class BodyCollector {
  readonly #maxBytes: number
  readonly #budget: BodyBudget | undefined
  #buffer: Buffer | undefined
  #length = 0
  #taken = 0

  constructor(maxBytes: number, budget?: BodyBudget) {
    this.#maxBytes = maxBytes
    this.#budget = budget
  }

  /** Copies the chunk; a text says why it was refused (then nothing is held any more). */
  add(chunk: ArrayBuffer | Uint8Array, isLast: boolean): 'limit' | 'budget' | undefined {
    const length = this.#length + chunk.byteLength
    if (length > this.#maxBytes) return this.#refuse('limit')
    if (length === this.#length) return undefined
    const capacity = this.#buffer?.length ?? 0
    if (length > capacity && !this.#grow(length, isLast)) return this.#refuse('budget')
    this.#buffer?.set(chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk), this.#length)
    this.#length = length
    return undefined
  }

  /** The whole body, the caller's own. */
  finish(): Buffer {
    const body = this.#buffer?.subarray(0, this.#length) ?? Buffer.alloc(0)
    this.drop()
    return body
  }

  drop(): void {
    this.#buffer = undefined
    if (this.#taken > 0) this.#budget?.give(this.#taken)
    this.#taken = 0
  }

  #grow(needed: number, isLast: boolean): boolean {
    const capacity = isLast
      ? needed
      : Math.min(this.#maxBytes, Math.max(FIRST_CAPACITY, needed * 2))
    if (this.#budget !== undefined) {
      if (!this.#budget.take(capacity - this.#taken)) return false
      this.#taken = capacity
    }
    // Small bodies come from Node's pool; a pool slice must not be handed out with bytes of others
    // behind it, hence the exact subarray in finish().
    const grown = Buffer.allocUnsafe(capacity)
    if (this.#buffer !== undefined) this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
    return true
  }

  #refuse(reason: 'limit' | 'budget'): 'limit' | 'budget' {
    this.drop()
    return reason
  }
}
