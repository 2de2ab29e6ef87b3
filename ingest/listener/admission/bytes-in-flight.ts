// What requests hold in memory until they are durable and answered (limits.maxBytesInFlight). Above
// it the answer is 500 busy, which costs nothing: memory stays flat under any overload.
import type { BodyBudget } from '../../../infra/http/port.ts'

/** Heap of one open request beside its body; without it a flood of tiny bodies would hold ten times
 *  the limit. */
export const REQUEST_OVERHEAD_BYTES = 2048

export class BytesInFlight implements BodyBudget {
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Looks only; for a body of which the length is known before it is read. */
  hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes
  }

  take(bytes: number): boolean {
    if (!this.hasRoom(bytes)) return false
    this.#bytes += bytes
    return true
  }

  /** Without asking: the caller has looked. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  give(bytes: number): void {
    this.#bytes -= bytes
  }
}
